import { type Check, selecting } from '../check.ts';

/** Pages are checked by the server's own tools: pg_amcheck and data checksums. */
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
