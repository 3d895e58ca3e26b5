import { dialect, withoutSamples } from '../dialect.ts';
import type { Statements } from '../migration.ts';

/** Contacts that are likely the same person. */
export const duplicates: Statements = (engine) => {
  const { int8, index } = dialect[engine];
  return [
    // How far the keys of a workspace follow its events, and the position among the contacts while a job reads all of them.
    `create table duplicate_followers (
      workspace_id ${int8} not null references workspaces (id),
      followed_until ${int8} not null,
      walked_until ${int8},
      primary key (workspace_id)
    ) ${index}`,
    `create index jobs_following_duplicates on jobs (workspace_id, due_at) where kind = 'duplicates.following'`,
    // Hashes of what contacts have in common.
    `create table duplicate_keys (
      workspace_id ${int8} not null references workspaces (id),
      key text not null,
      contact_id text not null,
      primary key (workspace_id, key, contact_id)
    ) ${index}`,
    'create index duplicate_keys_of_contact on duplicate_keys (workspace_id, contact_id, key)',
    ...withoutSamples(engine, 'duplicate_keys', 'key'),
    // One for each key that 2 to 20 contacts have. `dismissed` is 1 if all their pairs are.
    `create table duplicate_groups (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      key text not null,
      reason text not null,
      dismissed int not null,
      created_at text not null,
      updated_at text not null,
      primary key (workspace_id, id)
    ) ${index}`,
    'create unique index duplicate_groups_by_key on duplicate_groups (workspace_id, key)',
    'create index duplicate_groups_in_order on duplicate_groups (workspace_id, dismissed, reason, id)',
    ...withoutSamples(engine, 'duplicate_groups', 'key'),
    // Pairs of contacts that are not the same person, the lower id first.
    `create table duplicate_dismissals (
      workspace_id ${int8} not null references workspaces (id),
      contact_id text not null,
      other_id text not null,
      primary key (workspace_id, contact_id, other_id)
    ) ${index}`,
    'create index duplicate_dismissals_of_other on duplicate_dismissals (workspace_id, other_id)',
  ];
};
