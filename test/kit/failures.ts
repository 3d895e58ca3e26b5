import type { TestDatabase } from './engines.ts';

/** Writes the last failed sign-in down some times more, as if it had happened again. A real one takes a while by design. */
export const repeatLastFailure = async (
  { database }: { readonly database: TestDatabase },
  times: number,
): Promise<void> => {
  for (let time = 0; time < times; time++) {
    await database.query(
      'insert into sign_in_failures (subject, at) select subject, at from sign_in_failures order by at desc limit 1',
    );
  }
};
