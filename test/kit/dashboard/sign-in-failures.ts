import type { TestDatabase } from '../database/engines.ts';

/** Repeats the record of the last failed sign-in. A real one is slow by design. */
export const repeatLastFailure = async (
  { database }: { readonly database: TestDatabase },
  times: number,
): Promise<void> => {
  const last = await database.query(
    'select distinct subject, at from sign_in_failures where at = (select max(at) from sign_in_failures)',
  );
  for (let time = 0; time < times; time++)
    for (const { subject, at } of last)
      await database.query(
        'insert into sign_in_failures (subject, at) values (?, ?)',
        subject as string,
        at as string,
      );
};
