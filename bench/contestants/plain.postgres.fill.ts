import { Client } from 'pg';
import { COLUMNS } from './plain.store.ts';

/** The plain build's tables in a schema of their own, filled with the same records, with the indexes that its
 *  statements need. */
const STEPS = [
  'create schema plain',
  'create table plain.api_keys as select hash, workspace_id from public.keys',
  'alter table plain.api_keys add primary key (hash)',
  `create table plain.contacts (
    seq bigint generated always as identity primary key,
    workspace_id bigint not null,
    search_text text not null,
    ${COLUMNS.map((column) => `${column} text`).join(', ')},
    crm_ids text not null default '{}'
  )`,
  `insert into plain.contacts (workspace_id, search_text, ${COLUMNS.join(', ')})
    select workspace_id, replace(search_text, chr(31), chr(10)), ${COLUMNS.join(', ')}
    from public.contacts order by workspace_id, seq`,
  'alter table plain.contacts add unique (workspace_id, id), add unique (workspace_id, phone_number)',
  'create index on plain.contacts (workspace_id, seq)',
  'create index on plain.contacts using gin (workspace_id, search_text gin_trgm_ops)',
  `create table plain.contact_tags as
    select workspace_id, tag, seq from plain.contacts, jsonb_array_elements_text(tags::jsonb) as each (tag)`,
  'alter table plain.contact_tags add primary key (workspace_id, tag, seq)',
  'create table plain.agents as select workspace_id, id, name, description, created_at, updated_at from public.agents',
  'alter table plain.agents add primary key (workspace_id, id)',
  `create table plain.agent_versions as
    select workspace_id, agent_id, number, id, status, instructions, created_at from public.agent_versions`,
  'alter table plain.agent_versions add primary key (workspace_id, agent_id, number)',
  'vacuum analyze',
];

/** Creates the plain build's tables from Roster's. */
export const fillPlain = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const step of STEPS) await client.query(step);
  await client.end();
};
