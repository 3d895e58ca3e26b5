import type { IdentityKind } from './identity.schema.ts';

/* A contact's row has its current identities: `phone_identity` is the primary number, and `identities` has the others. The table of
 * identities follows them (identity.sync.ts). */

export interface IdentityValue {
  readonly kind: IdentityKind;
  readonly value: string;
}

type Columns = { readonly identities: string | null; readonly phone_identity: string | null };

/** The identities besides the primary number. A row that an earlier version has read has no such column. */
export const secondaryOf = ({ identities }: Partial<Columns>): IdentityValue[] =>
  (JSON.parse(identities ?? '[]') as [IdentityKind, string][]).map(([kind, value]) => ({ kind, value }));

export const primaryOf = ({ phone_identity: value }: Pick<Columns, 'phone_identity'>): IdentityValue[] =>
  value === null ? [] : [{ kind: 'phone', value }];

export const currentOf = (row: Columns): IdentityValue[] => [...primaryOf(row), ...secondaryOf(row)];

/** All numbers by which a contact is found. */
export const phonesOf = (row: Columns): string[] =>
  currentOf(row).flatMap(({ kind, value }) => (kind === 'phone' ? value : []));

export const isSameIdentity = (one: IdentityValue, other: IdentityValue): boolean =>
  one.kind === other.kind && one.value === other.value;

export const isAmong = (identity: IdentityValue, some: readonly IdentityValue[]): boolean =>
  some.some((other) => isSameIdentity(identity, other));

/** The column `identities` with some. */
export const columnOf = (some: readonly IdentityValue[]): string | null =>
  some.length === 0 ? null : JSON.stringify(some.map(({ kind, value }) => [kind, value]));

/** The column `identities` with another one, or without one. */
export const withIdentity = (row: Columns, added: IdentityValue): string | null =>
  columnOf([...secondaryOf(row), added]);
export const withoutIdentity = (row: Columns, removed: IdentityValue): string | null =>
  columnOf(secondaryOf(row).filter((each) => !isSameIdentity(each, removed)));
