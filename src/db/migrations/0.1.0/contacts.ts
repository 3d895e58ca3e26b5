import { dialect } from '../dialect.ts';
import type { Statements } from '../migration.ts';

const setting = (name: string, value: number) =>
  `insert into contacts_search (contacts_search, rank) values ('${name}', ${value})`;

/** Each engine has a trigram index, partitioned by workspace. */
const search = {
  sqlite: [
    `create virtual table contacts_search using fts5
       (text, phone, content = '', columnsize = 0, tokenize = 'trigram case_sensitive 1')`,
    // Entries of a deleted record are removed from the index itself, not marked.
    setting('secure-delete', 1),
    // Release 0.1.0 merged a few pages in every commit.
    setting('automerge', 0),
    setting('usermerge', 8),
    setting('crisismerge', 64),
  ],
  postgres: [
    'create extension if not exists pg_trgm',
    'create extension if not exists btree_gin',
    'create index contacts_search on contacts using gin (workspace_id, search_text gin_trgm_ops)',
    'create index contacts_search_phone on contacts using gin (workspace_id, search_phone gin_trgm_ops)',
  ],
};

export const contacts: Statements = (engine) => {
  const { int8, order, table, index } = dialect[engine];
  return [
    // The number of records in each list (see counters.ts), sorted by code point, so that names with a common prefix are one range.
    `create table tallies (
      workspace_id ${int8} not null,
      list text ${engine === 'postgres' ? 'collate "C" ' : ''}not null,
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
    // Finds a legacy number that has no identity.
    `create index contacts_without_identity on contacts (workspace_id, phone_number)
      where coalesce(phone_identity, '') = ''`,
    'create index contacts_in_conflict on contacts (workspace_id, seq) where phone_conflict = 1',
    'create index contacts_of_company on contacts (workspace_id, company, seq) where company is not null',
    `create table contact_tags (
      workspace_id ${int8} not null,
      tag text not null,
      seq ${int8} not null,
      primary key (workspace_id, tag, seq)
    ) ${index}`,
  ];
};
