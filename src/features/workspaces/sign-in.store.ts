import { sql } from 'kysely';
import { rowsOf } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';

type FailureRow = { subject: string; at: string };
type AddressRow = { workspace_id: number; user_id: string; address: string; used_at: string };

/** The time span of failures that count. */
type Span = { since: string; until: string };

/** Makes attempts of one account or network wait for each other, also those of other threads and instances. */
export const lockSubject = statement(
  ({ subject }: { subject: string }, dialect) =>
    sql<{ locked: unknown }>`select ${dialect.advisoryLock(subject)} as locked`,
);

export const insertFailure = statement(
  ({ subject, at }: FailureRow) =>
    sql<never>`insert into sign_in_failures (subject, at) values (${subject}, ${at})`,
);

export const countFailures = statement(
  ({ subject, since, until }: Span & { subject: string }) => sql<{ count: number; last: string | null }>`
    select count(*) as count, max(at) as last from sign_in_failures
    where subject = ${subject} and at > ${since} and at <= ${until}`,
);

export const deleteOldFailures = statement(
  ({ since, until }: Span) => sql<never>`delete from sign_in_failures where at <= ${since} or at > ${until}`,
);

export const deleteFailures = statement(
  ({ subject }: { subject: string }) => sql<never>`delete from sign_in_failures where subject = ${subject}`,
);

export const deleteFailure = statement(
  ({ subject, at }: FailureRow) =>
    sql<never>`delete from sign_in_failures where subject = ${subject} and at = ${at}`,
);

export const moveFailure = statement(
  ({ subject, at, now }: FailureRow & { now: string }) =>
    sql<never>`update sign_in_failures set at = ${now} where subject = ${subject} and at = ${at}`,
);

/** Whether a user with this email has signed in from an address. */
export const countKnown = statement(
  ({ email, address, since }: { email: string; address: string; since: string }) => sql<{ count: number }>`
    select count(*) as count from users join sign_in_addresses as known
    on known.workspace_id = users.workspace_id and known.user_id = users.id
    where users.email = ${email} and known.address = ${address} and known.used_at > ${since}`,
);

export const upsertAddress = statement(
  ({ workspace_id, user_id, address, used_at }: AddressRow) => sql<never>`
    insert into sign_in_addresses (workspace_id, user_id, address, used_at)
    values (${workspace_id}, ${user_id}, ${address}, ${used_at})
    on conflict (workspace_id, user_id, address) do update set used_at = excluded.used_at`,
);

export const deleteOldAddresses = statement(
  ({ workspace, user, before }: { workspace: number; user: string; before: string }) => sql<never>`
    delete from sign_in_addresses
    where workspace_id = ${workspace} and user_id = ${user} and used_at <= ${before}`,
);

export const deleteAddressesOf = rowsOf<AddressRow>({ table: 'sign_in_addresses' }).removeBy({
  by: { user: 'user_id' },
});
