import type { DashboardUser } from '../dashboard/users.ts';
import type { Json } from '../service/test-service.ts';

/** Every page for a user of the demo workspace, by the name of its screenshot. Dialogs, empty pages and other settings have
 *  screenshots in their own tests. */
export const demoPages = async ({ call }: DashboardUser): Promise<Record<string, string>> => {
  const first = async (list: string, name?: string): Promise<string> => {
    const { data } = (await call('GET', list)).body;
    return (name ? data.find((each: Json) => each.name === name) : data[0]).id;
  };
  const agent = `/agents/${await first('/agents', 'Service & repairs')}`;
  const campaign = `/campaigns/${await first('/campaigns', 'New season tasting')}`;
  const { data: calls } = (await call('GET', '/calls?direction=outbound')).body;
  const { data: conflicts } = (await call('GET', '/contacts/conflicts')).body;
  return {
    home: '/?days=90',
    contacts: '/contacts',
    contact: `/contacts/${calls.find(({ contact_id }: Json) => contact_id).contact_id}`,
    'contact-conflict': `/contacts/${conflicts[0].contact.id}`,
    segments: '/segments',
    import: '/import',
    'import-record': `/import/${await first('/imports')}`,
    agents: '/agents',
    agent,
    'agent-compare': `${agent}?compare=v2..v4`,
    version: `${agent}/versions/v2`,
    campaigns: '/campaigns',
    campaign,
    calls: '/calls',
    channels: '/channels',
    integrations: '/integrations',
    webhooks: '/webhooks',
    'audit-log': '/audit-log',
    tags: '/tags',
    'settings-keys': '/settings?tab=keys',
    'settings-members': '/settings?tab=members',
    'settings-fields': '/settings?tab=fields',
    'not-found': '/nowhere',
  };
};
