import { dialect } from '../dialect.ts';
import type { Statements } from '../migration.ts';

export const agents: Statements = (engine) => {
  const { int8, order, table } = dialect[engine];
  return [
    `create table agents (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      seq ${order},
      name text not null,
      description text,
      created_at text not null,
      updated_at text not null,
      deleted_at text,
      wire text not null,
      versions text not null default '',
      primary key (workspace_id, id),
      unique (workspace_id, seq)
    ) ${table}`,
    'create unique index agents_listed on agents (workspace_id, seq) where deleted_at is null',
    `create table agent_versions (
      workspace_id ${int8} not null,
      agent_id text not null,
      number ${int8} not null,
      id text not null,
      status text not null check (status in ('draft', 'deployed', 'archived')),
      instructions text not null,
      created_at text not null,
      primary key (workspace_id, agent_id, number),
      unique (workspace_id, id),
      foreign key (workspace_id, agent_id) references agents (workspace_id, id)
    ) ${table}`,
    `create unique index agent_versions_deployed on agent_versions (workspace_id, agent_id) where status = 'deployed'`,
    `create table deploys (
      workspace_id ${int8} not null,
      agent_id text not null,
      number ${int8} not null,
      version_id text not null,
      previous_version_id text,
      deployed_at text not null,
      deployed_by text not null,
      note text,
      primary key (workspace_id, agent_id, number),
      foreign key (workspace_id, agent_id) references agents (workspace_id, id)
    ) ${table}`,
    'create index deploys_by_time on deploys (workspace_id, deployed_at)',
    'create index deploys_of_version on deploys (workspace_id, version_id, number)',

    // A replaced secret is still accepted until a time.
    `create table channels (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      seq ${order},
      kind text not null check (kind in ('phone', 'sms', 'whatsapp', 'web_chat')),
      name text not null,
      address text not null,
      agent_id text,
      secret_hash text not null,
      secret_sealed text not null,
      token_sealed text,
      created_at text not null,
      updated_at text not null,
      old_secret_hash text,
      old_secret_sealed text,
      old_secret_expires_at text,
      old_token_sealed text,
      old_token_expires_at text,
      primary key (workspace_id, id),
      unique (workspace_id, seq),
      foreign key (workspace_id, agent_id) references agents (workspace_id, id)
    ) ${table}`,
    'create index channels_of_agent on channels (workspace_id, agent_id)',
    `create table integrations (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      name text not null,
      secret_hash text not null,
      created_at text not null,
      old_secret_hash text,
      old_secret_expires_at text,
      primary key (workspace_id, id)
    ) ${table}`,
  ];
};
