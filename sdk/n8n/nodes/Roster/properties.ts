import type { INodeProperties } from 'n8n-workflow';
import { choice, collection, json, text, time } from '../properties';

const shown = (resource: string[], operation?: string[]): Partial<INodeProperties> => ({
  displayOptions: { show: { resource, ...(operation && { operation }) } },
});
const required = (...on: Parameters<typeof shown>) => ({ required: true, ...shown(...on) });

const operationsOf = (resource: string, operations: [value: string, name: string, action: string][]) => {
  const options = operations.map(([value, name, action]) => ({ name, value, action, description: action }));
  const extra = { noDataExpression: true, options, ...shown([resource]) };
  return choice('operation', 'What to do', [options[0].value], extra);
};

const statuses = ['pending', 'in_progress', 'completed', 'failed'];
const searchText = 'Part of a name, the phone number or the email address';
const audiences = ['contact_ids', 'filter', 'search', 'tag'];
const enroll = required(['enrollment'], ['enroll']);

export const properties: INodeProperties[] = [
  choice('resource', 'What to work with', ['contact', 'enrollment', 'agent'], { noDataExpression: true }),
  operationsOf('agent', [['render', 'Render Instructions', 'Render instructions for a contact']]),
  operationsOf('contact', [
    ['create', 'Create', 'Create a contact'],
    ['upsert', 'Create or Update', 'Create or update a contact by phone number'],
    ['delete', 'Delete', 'Delete a contact'],
    ['get', 'Get', 'Get a contact'],
    ['getByPhone', 'Get by Phone Number', 'Get a contact by phone number'],
    ['getAll', 'Get Many', 'Get many contacts'],
    ['update', 'Update', 'Update a contact'],
  ]),
  operationsOf('enrollment', [
    ['enroll', 'Enroll', 'Enroll contacts in a campaign'],
    ['getAll', 'Get Many', 'Get many enrollments of a campaign'],
    ['update', 'Update', 'Update an enrollment'],
  ]),
  text('agent_id', 'The ID of the agent', required(['agent'])),
  text('version', 'A label such as v3, or an ID. Empty: the deployed version.', shown(['agent'])),
  choice('contact_by', 'What names the contact', ['contact_id', 'phone_number'], shown(['agent'])),
  text('contact', 'The ID or the phone number of the contact', required(['agent'])),
  text('campaign_id', 'The ID of the campaign', required(['enrollment'])),
  text(
    'contact_id',
    'The ID of the contact',
    required(['contact', 'enrollment'], ['delete', 'get', 'update']),
  ),
  text('phone_number', 'In E.164 format', required(['contact'], ['create', 'getByPhone', 'upsert'])),
  choice('enroll_by', 'What selects the contacts', audiences, enroll),
  text('contacts', 'IDs with commas, a filter as JSON, a search text or a tag', enroll),
  json('variables', 'Values for the instructions', shown(['agent', 'enrollment'], ['render', 'enroll'])),
  collection('contact_fields', shown(['contact'], ['create', 'update', 'upsert']), [
    text('company', 'The company that the contact works for'),
    text('display_name', 'How the contact wants to be addressed'),
    text('email', 'An email address'),
    json('fields', "Values of the workspace's fields by key; others stay as they are"),
    text('first_name', 'Given name'),
    text('last_name', 'Family name'),
    text('notes', 'Internal notes for the team', { typeOptions: { rows: 3 } }),
    text('phone_number', 'A new number, in an update'),
    text('tags', 'Separated by commas; they replace all tags'),
  ]),
  collection('enrollment_fields', shown(['enrollment'], ['update']), [
    text('claim_id', 'Changes nothing if this is no longer the current claim'),
    text('disposition', 'Instead of a status: the retry rule for it decides'),
    text('outcome', 'How the attempt went'),
    time('retry_at', 'With the status pending: when the contact is due again'),
    choice('status', 'The new status', statuses),
    json('variables', 'Values to change'),
  ]),
  text('returnAll', 'Whether to return all results or only up to a given limit', {
    ...{ type: 'boolean', default: false, ...shown(['contact', 'enrollment'], ['getAll']) },
  }),
  text('limit', 'Max number of results to return', {
    ...{ type: 'number', typeOptions: { minValue: 1 }, default: 50 },
    displayOptions: { show: { operation: ['getAll'], returnAll: [false] } },
  }),
  collection('filters', shown(['contact'], ['getAll']), [
    text('filter', 'Conditions as JSON'),
    text('search', searchText),
    text('segment', 'The ID of a segment'),
    text('tag', 'Exactly this tag'),
    time('updated_since', 'Contacts that were updated at this time or later'),
  ]),
  collection('filters', shown(['enrollment'], ['getAll']), [
    text('search', searchText),
    choice('status', 'Enrollments with this status', [...statuses, 'blocked', 'skipped']),
  ]),
];
