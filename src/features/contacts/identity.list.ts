import type { Db } from '../../db/db.ts';
import { pickColumns } from '../../db/statement.ts';
import type { ContactRow } from './contact.store.ts';
import { type IdentityRow, identitiesOfContacts, originalId } from './identity.store.ts';

const SHOWN = ['id', 'kind', 'value', 'verified_by', 'valid_from', 'valid_until'] as const;

/** What identities show of their contact. */
export type Holder = Pick<ContactRow, 'workspace_id' | 'id' | 'phone_identity' | 'created_at'>;

const isPrimary = (row: IdentityRow, holder: Holder | undefined): boolean =>
  row.kind === 'phone' && row.valid_until === null && row.value === holder?.phone_identity;

/** The one mapper between a row and the identity in responses. */
export const shownIdentity = (row: IdentityRow, holder: Holder | undefined) => {
  const { id, kind, value, ...others } = pickColumns(row, SHOWN);
  return { id, kind, value, is_primary: isPrimary(row, holder), ...others };
};
export type Identity = ReturnType<typeof shownIdentity>;

/** The original number of a contact. */
export const originalRow = (holder: Holder): IdentityRow => ({
  workspace_id: holder.workspace_id,
  id: originalId(holder.id),
  contact_id: holder.id,
  kind: 'phone',
  value: holder.phone_identity ?? '',
  verified_by: null,
  valid_from: holder.created_at,
  valid_until: null,
});

/** The primary number, then other current identities, then former ones, the latest first. */
const order = (one: Identity, other: Identity): number => {
  const rank = ({ is_primary, valid_until }: Identity) => (is_primary ? 0 : valid_until === null ? 1 : 2);
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  const key = ({ valid_until, valid_from, id }: Identity) => `${valid_until ?? valid_from} ${id}`;
  const isBefore = key(one) < key(other);
  return isBefore === (one.valid_until === null) ? -1 : 1;
};

/** All identities of contacts, by their ids. */
export const identitiesByContact = async (
  db: Db,
  workspace: number,
  holders: readonly Holder[],
): Promise<Map<string, Identity[]>> => {
  const keys = JSON.stringify(holders.map(({ id }) => id));
  const rows = Map.groupBy(await db.all(identitiesOfContacts, { workspace, keys }), (row) => row.contact_id);
  return new Map(
    holders.map((holder) => {
      const stored = rows.get(holder.id) ?? [];
      const hasRow = holder.phone_identity === null || stored.some((row) => isPrimary(row, holder));
      const all = hasRow ? stored : [originalRow(holder), ...stored];
      return [holder.id, all.map((row) => shownIdentity(row, holder)).sort(order)];
    }),
  );
};
