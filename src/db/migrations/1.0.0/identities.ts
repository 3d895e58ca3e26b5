import { dialect, withoutSamples } from '../dialect.ts';
import type { Statements } from '../migration.ts';

/** Further identities of contacts, and those of people without one. */
export const identities: Statements = (engine) => {
  const { int8, table, index } = dialect[engine];
  return [
    // All but the original, never changed number of a contact, which is only in `contacts.phone_identity`. `contact_id` is null for a
    // person without a contact, and `valid_until` while the identity is current.
    `create table identities (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      contact_id text,
      kind text not null check (kind in ('phone', 'whatsapp_user', 'email_address', 'external')),
      value text not null,
      verified_by text,
      valid_from text not null,
      valid_until text,
      primary key (workspace_id, id)
    ) ${table}`,
    'create unique index identities_current on identities (workspace_id, kind, value) where valid_until is null',
    `create index identities_former on identities (workspace_id, kind, value, valid_until)
      where valid_until is not null`,
    `create index identities_of_contact on identities (workspace_id, contact_id) where contact_id is not null`,
    'create index identities_without_contact on identities (workspace_id, id) where contact_id is null',
    // A report attested the number of one contact together with an identity of another.
    `create table identity_conflicts (
      workspace_id ${int8} not null references workspaces (id),
      identity_id text not null,
      contact_id text not null,
      at text not null,
      primary key (workspace_id, identity_id, contact_id)
    ) ${index}`,
    'create index identity_conflicts_of_contact on identity_conflicts (workspace_id, contact_id)',
    // The current ones besides the number, which searches find: a JSON array of kinds and values.
    'alter table contacts add column identities text',
    'alter table calls add column identity_id text',
    `create index calls_of_identity on calls (workspace_id, identity_id, started_at, seq)
      where identity_id is not null`,
    ...withoutSamples(engine, 'identities', 'value'),
    ...withoutSamples(engine, 'contacts', 'identities'),
  ];
};
