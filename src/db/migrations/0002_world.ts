import { dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

export const world: Migration = {
  name: 'deploys, channels, calls, campaigns, integrations, sessions',
  statements: (engine) => {
    const { int8, order, table } = dialect[engine];
    return [
      // The directory: the workspace of each hook, and failed sign-ins.
      `create table hooks (
        id text not null primary key,
        workspace_id ${int8} not null references workspaces (id)
      ) ${table}`,
      `create table sign_in_failures (
        subject text not null,
        at text not null
      ) ${table}`,
      // A known text, encrypted, so that a start with another key fails.
      `create table seal_checks (
        name text not null primary key,
        sealed text not null
      ) ${table}`,
      'create index sign_in_failures_recent on sign_in_failures (subject, at)',
      'create index sign_in_failures_old on sign_in_failures (at)',

      `create table sessions (
        workspace_id ${int8} not null references workspaces (id),
        hash text not null,
        user_id text not null,
        created_at text not null,
        expires_at text not null,
        primary key (workspace_id, hash)
      ) ${table}`,
      'create index sessions_of_user on sessions (workspace_id, user_id)',

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
        primary key (workspace_id, id)
      ) ${table}`,

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

      // New contacts are counted by day and source from here on.
      `insert into tallies (workspace_id, list, part, count)
        select workspace_id, 'contacts@' || substr(created_at, 1, 10) || '/' || source, 0, count(*)
        from contacts group by 1, 2`,
    ];
  },
};
