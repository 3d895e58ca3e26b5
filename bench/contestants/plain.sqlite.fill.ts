import { DatabaseSync } from 'node:sqlite';
import { COLUMNS } from './plain.store.ts';

/** The plain build's tables, with the indexes that its statements need. */
const TABLES = `
  create table api_keys (hash text not null primary key, workspace_id int not null) strict;
  create table contacts (
    seq integer primary key,
    workspace_id int not null,
    ${COLUMNS.map((column) => `${column} text`).join(', ')},
    crm_ids text not null default '{}',
    unique (workspace_id, id),
    unique (workspace_id, phone_number)
  ) strict;
  create index contacts_by_workspace on contacts (workspace_id, seq);
  create table contact_tags (
    workspace_id int not null, tag text not null, seq int not null, primary key (workspace_id, tag, seq)
  ) strict, without rowid;
  create virtual table contacts_search using fts5
    (phone_number, name, display_name, email, content = '', tokenize = 'trigram remove_diacritics 1');
  create table agents (
    workspace_id int not null, id text not null, name text not null, description text,
    created_at text not null, updated_at text not null, primary key (workspace_id, id)
  ) strict;
  create table agent_versions (
    workspace_id int not null, agent_id text not null, number int not null, id text not null, status text not null,
    instructions text not null, created_at text not null, primary key (workspace_id, agent_id, number)
  ) strict;`;

/** The same records as in Roster's file. */
const RECORDS = `
  insert into api_keys select hash, workspace_id from roster.keys;
  insert into contacts (workspace_id, ${COLUMNS.join(', ')})
    select workspace_id, ${COLUMNS.join(', ')} from roster.contacts order by workspace_id, seq;
  insert into contact_tags select workspace_id, value, seq from contacts, json_each(tags);
  insert into contacts_search (rowid, phone_number, name, display_name, email)
    select seq, phone_number, first_name || ' ' || last_name, display_name, email from contacts;
  insert into agents select workspace_id, id, name, description, created_at, updated_at from roster.agents;
  insert into agent_versions
    select workspace_id, agent_id, number, id, status, instructions, created_at from roster.agent_versions;`;

/** Creates the plain build's file from Roster's. */
export const fillPlain = (rosterPath: string, plainPath: string): void => {
  const db = new DatabaseSync(plainPath);
  db.exec(`pragma journal_mode = wal; attach '${rosterPath.replaceAll("'", "''")}' as roster`);
  db.exec(`begin; ${TABLES} ${RECORDS} commit; analyze`);
  db.close();
};
