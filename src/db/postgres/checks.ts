import { type Check, selecting } from '../check.ts';

/** The pages themselves are the server's to check: pg_amcheck, and its checksums. */
export const postgresChecks: readonly Check[] = [
  selecting(
    'every index is in use',
    1,
    () => `select 'the index ' || indexrelid::regclass || ' is not valid' as what from pg_index
      where not (indisvalid and indisready and indislive)`,
  ),
  selecting(
    'every constraint was checked on all rows',
    1,
    () => `select 'the constraint ' || conname || ' of ' || conrelid::regclass || ' is not valid' as what
      from pg_constraint where not convalidated`,
  ),
];
