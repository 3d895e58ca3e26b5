import { dialect } from '../dialect.ts';
import type { Statements } from '../migration.ts';

export const callsAndCampaigns: Statements = (engine) => {
  const { int8, order, table } = dialect[engine];
  return [
    `create table calls (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      seq ${order},
      channel_id text not null,
      contact_id text,
      agent_id text,
      version_id text,
      medium text not null check (medium in ('call', 'message')),
      direction text not null check (direction in ('inbound', 'outbound')),
      status text not null,
      number text,
      number_identity text,
      provider_id text not null,
      started_at text not null,
      ended_at text,
      seconds ${int8},
      primary key (workspace_id, id),
      unique (workspace_id, seq),
      unique (workspace_id, channel_id, provider_id)
    ) ${table}`,
    'create index calls_of_contact on calls (workspace_id, contact_id, seq)',
    'create index calls_of_channel on calls (workspace_id, channel_id, seq)',
    'create index calls_of_number on calls (workspace_id, number_identity)',
    'create index calls_of_agent on calls (workspace_id, agent_id, seq)',
    'create index calls_by_direction on calls (workspace_id, direction, seq)',

    `create table campaigns (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      seq ${order},
      name text not null,
      agent_id text not null,
      status text not null check (status in ('draft', 'active', 'paused', 'finished')),
      created_at text not null,
      updated_at text not null,
      primary key (workspace_id, id),
      unique (workspace_id, seq),
      foreign key (workspace_id, agent_id) references agents (workspace_id, id)
    ) ${table}`,
    'create index campaigns_of_agent on campaigns (workspace_id, agent_id)',
    `create table enrollments (
      workspace_id ${int8} not null,
      campaign_id text not null,
      contact_id text not null,
      status text not null check (status in ('pending', 'in_progress', 'completed', 'failed')),
      enrolled_at text not null,
      updated_at text not null,
      primary key (workspace_id, campaign_id, contact_id),
      foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id),
      foreign key (workspace_id, contact_id) references contacts (workspace_id, id)
    ) ${table}`,
    'create index enrollments_of_contact on enrollments (workspace_id, contact_id)',
    'create index enrollments_by_status on enrollments (workspace_id, campaign_id, status, contact_id)',
  ];
};
