import { dialect, withoutSamples } from '../dialect.ts';
import type { Statements } from '../migration.ts';

/** Contacts that were merged into another one. */
export const merges: Statements = (engine) => {
  const { int8, order, table, index } = dialect[engine];
  return [
    // `other_ids` and `counts` are JSON, and so is `undo`: what an undo did not restore.
    `create table merges (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      seq ${order},
      survivor_id text not null,
      other_ids text not null,
      status text not null check (status in ('moving', 'merged', 'undoing', 'undone')),
      counts text not null,
      created_by text not null,
      request_id text,
      created_at text not null,
      undone_by text,
      undone_at text,
      undo text,
      primary key (workspace_id, id),
      unique (workspace_id, seq)
    ) ${table}`,
    'create index merges_of_survivor on merges (workspace_id, survivor_id, seq)',
    `create index merges_in_progress on merges (workspace_id, id) where status in ('moving', 'undoing')`,
    // `survivor_id` is where the contact is now; null after an undo. While it is moving, calls refer to the merged contact. SQLite
    // gives its seq to no other contact.
    `create table merged_contacts (
      workspace_id ${int8} not null references workspaces (id),
      contact_id text not null,
      merge_id text not null,
      survivor_id text,
      moving int not null,
      seq ${int8} not null,
      primary key (workspace_id, contact_id, merge_id)
    ) ${index}`,
    'create index merged_contacts_by_survivor on merged_contacts (workspace_id, survivor_id) where survivor_id is not null',
    'create index merged_contacts_moving on merged_contacts (workspace_id, survivor_id, contact_id) where moving = 1',
    'create index merged_contacts_of_merge on merged_contacts (workspace_id, merge_id)',
    'create index merged_contacts_by_seq on merged_contacts (workspace_id, seq)',
    // What a merge has moved and replaced, for an undo. `former` is JSON.
    `create table merge_records (
      workspace_id ${int8} not null references workspaces (id),
      merge_id text not null,
      position ${int8} not null,
      kind text not null,
      contact_id text not null,
      former text not null,
      primary key (workspace_id, merge_id, position)
    ) ${index}`,
    ...withoutSamples(engine, 'merge_records', 'former'),
  ];
};
