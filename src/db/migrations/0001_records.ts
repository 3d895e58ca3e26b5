import { dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

/** Each engine has a trigram index, partitioned by workspace. */
const search = {
  sqlite: [
    // Entries of a deleted record are removed from the index itself, not marked.
    `create virtual table contacts_search using fts5
       (text, phone, content = '', columnsize = 0, tokenize = 'trigram case_sensitive 1')`,
    `insert into contacts_search (contacts_search, rank) values ('secure-delete', 1)`,
  ],
  postgres: [
    'create extension if not exists pg_trgm',
    'create extension if not exists btree_gin',
    'create index contacts_search on contacts using gin (workspace_id, search_text gin_trgm_ops)',
    'create index contacts_search_phone on contacts using gin (workspace_id, search_phone gin_trgm_ops)',
  ],
};

export const records: Migration = {
  name: 'workspaces, keys, users, contacts, agents',
  statements: (engine) => {
    const { int8, identity, order, table, index } = dialect[engine];
    return [
      // The directory: tables that map a caller to its workspace.
      `create table workspaces (
        id ${identity},
        name text not null unique,
        created_at text not null
      ) ${table}`,
      `create table users (
        id text not null primary key,
        workspace_id ${int8} not null references workspaces (id),
        email text not null unique,
        password text not null,
        role text not null check (role in ('owner', 'member')),
        created_at text not null
      ) ${table}`,

      `create table keys (
        workspace_id ${int8} not null references workspaces (id),
        id text not null,
        name text not null,
        hash text not null,
        scope text not null check (scope in ('read', 'read_write')),
        created_at text not null,
        expires_at text,
        revoked_at text,
        last_used_at text,
        primary key (workspace_id, id),
        unique (workspace_id, hash)
      ) ${table}`,

      // The number of records in each list (see counters.ts).
      `create table tallies (
        workspace_id ${int8} not null,
        list text not null,
        part ${int8} not null,
        count ${int8} not null,
        primary key (workspace_id, list, part)
      ) ${index}`,

      `create table contacts (
        workspace_id ${int8} not null references workspaces (id),
        id text not null,
        seq ${order},
        phone_number text not null,
        phone_identity text,
        phone_conflict int not null default 0,
        first_name text,
        last_name text,
        display_name text,
        email text,
        company text,
        notes text,
        tags text not null,
        source text not null check (source in ('api', 'import', 'manual', 'inbound', 'webhook')),
        first_contact_at text not null,
        last_contact_at text not null,
        created_at text not null,
        updated_at text not null,
        crm_ids text not null default '{}',
        search_text text not null,
        search_phone text not null,
        wire text not null,
        primary key (workspace_id, id),
        unique (workspace_id, seq),
        unique (workspace_id, phone_identity)
      ) ${table}`,
      ...search[engine],
      `create table contact_tags (
        workspace_id ${int8} not null,
        tag text not null,
        seq ${int8} not null,
        primary key (workspace_id, tag, seq)
      ) ${index}`,

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
    ];
  },
};
