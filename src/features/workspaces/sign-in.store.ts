import { sql } from 'kysely';
import { rowsOf } from '../../db/rows.ts';
import { pickColumns, statementsOver } from '../../db/statement.ts';

type FailureRow = { subject: string; at: string };
type AddressRow = { workspace_id: number; user_id: string; address: string; used_at: string };

const statement = statementsOver<{
  sign_in_failures: FailureRow;
  sign_in_addresses: AddressRow;
  users: { id: string; workspace_id: number; email: string };
}>();

/** The time span of failures that count. */
type Span = { since: string; until: string };

/** Makes attempts of one account or network wait for each other, also those of other threads and instances. */
export const lockSubject = statement(
  (_, { subject }: { subject: string }, dialect) =>
    sql<{ locked: unknown }>`select ${dialect.advisoryLock(subject)} as locked`,
);

export const insertFailure = statement((query, { subject, at }: FailureRow) =>
  query.insertInto('sign_in_failures').values({ subject, at }),
);

export const countFailures = statement((query, { subject, since, until }: Span & { subject: string }) =>
  query
    .selectFrom('sign_in_failures')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('at').as('last')])
    .where('subject', '=', subject)
    .where('at', '>', since)
    .where('at', '<=', until),
);

export const deleteOldFailures = statement((query, { since, until }: Span) =>
  query
    .deleteFrom('sign_in_failures')
    .where((row) => row.or([row('at', '<=', since), row('at', '>', until)])),
);

export const deleteFailures = statement((query, { subject }: { subject: string }) =>
  query.deleteFrom('sign_in_failures').where('subject', '=', subject),
);

export const deleteFailure = statement((query, { subject, at }: FailureRow) =>
  query.deleteFrom('sign_in_failures').where('subject', '=', subject).where('at', '=', at),
);

export const moveFailure = statement((query, { subject, at, now }: FailureRow & { now: string }) =>
  query.updateTable('sign_in_failures').set({ at: now }).where('subject', '=', subject).where('at', '=', at),
);

/** Whether a user with this email has signed in from an address. */
export const countKnown = statement(
  (query, { email, address, since }: { email: string; address: string; since: string }) =>
    query
      .selectFrom('users')
      .innerJoin('sign_in_addresses as known', (join) =>
        join.onRef('known.workspace_id', '=', 'users.workspace_id').onRef('known.user_id', '=', 'users.id'),
      )
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('users.email', '=', email)
      .where('known.address', '=', address)
      .where('known.used_at', '>', since),
);

export const upsertAddress = statement((query, row: AddressRow) =>
  query
    .insertInto('sign_in_addresses')
    .values(pickColumns(row, ['workspace_id', 'user_id', 'address', 'used_at']))
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'user_id', 'address']).doUpdateSet({ used_at: row.used_at }),
    ),
);

type OfUser = { workspace: number; user: string };

export const deleteOldAddresses = statement(
  (query, { workspace, user, before }: OfUser & { before: string }) =>
    query
      .deleteFrom('sign_in_addresses')
      .where('workspace_id', '=', workspace)
      .where('user_id', '=', user)
      .where('used_at', '<=', before),
);

export const deleteAddressesOf = rowsOf<AddressRow>({ table: 'sign_in_addresses' }).removeBy({
  by: { user: 'user_id' },
});
