import { everyOperation, type Operation, type RecordSet } from '../dashboard/operations.ts';

let count = 0;

/** Operations that only the API has, or that it restricts. Those with the path of another one replace it. */
const apiOnly = (records: RecordSet): Operation[] => {
  const { agent, version, contact, campaign, user } = records;
  const both = { id: agent.id, version: version.id };
  const phone = { phone: contact.phone_number };
  return [
    { method: 'GET', path: '/contacts/by-phone/{phone}', params: phone },
    { method: 'PUT', path: '/contacts/by-phone/{phone}', params: phone, body: { company: 'Acme' } },
    {
      method: 'POST',
      path: '/contacts/batch',
      params: {},
      body: { operations: [{ op: 'upsert', phone_number: contact.phone_number }] },
    },
    {
      method: 'POST',
      path: '/bulk-jobs',
      params: {},
      body: { action: 'tag', selection: { ids: ['contact_00000000000000000000000000'] }, add: ['bulk'] },
    },
    { method: 'GET', path: '/agents/{id}/variables', params: { id: agent.id } },
    {
      method: 'PUT',
      path: '/agents/{id}/variables',
      params: { id: agent.id },
      body: { variables: [{ name: `slot_${++count}`, description: 'When', example: 'Tuesday' }] },
    },
    {
      method: 'POST',
      path: '/agents/{id}/versions/{version}/render',
      params: both,
      body: { contact_id: contact.id, variables: { slot: 'Tuesday' } },
    },
    { method: 'GET', path: '/agents/{id}/versions/{version}/diff', params: both, query: 'from=v1' },
    { method: 'POST', path: '/campaigns/{id}/claims', params: { id: campaign.id }, body: { limit: 5 } },
    { method: 'POST', path: '/agents/{id}/rollback', params: { id: agent.id }, body: { note: 'back' } },
    { method: 'POST', path: '/keys', params: {}, body: { name: 'Another', scopes: ['admin'] } },
    { method: 'POST', path: '/users', params: {}, body: { email: `invited${++count}@world.example` } },
    { method: 'PATCH', path: '/users/{id}', params: { id: user.id }, body: { role: 'member' } },
  ];
};

const isSame = (one: Operation, other: Operation) => one.method === other.method && one.path === other.path;

/** Every operation of the API on a record set, in an order in which each succeeds. Add an operation that the dashboard does
 *  not have to `apiOnly`. */
export const everyApiOperation = (records: RecordSet): Operation[] => {
  const own = apiOnly(records);
  const shared = everyOperation(records);
  const replaced = shared.map((each) => own.find((other) => isSame(each, other)) ?? each);
  return [...own.filter((each) => !shared.some((other) => isSame(each, other))), ...replaced];
};
