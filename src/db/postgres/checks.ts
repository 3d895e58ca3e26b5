import { type Check, sqlCheck } from '../check.ts';

/** PostgreSQL checks its pages itself, with data checksums and pg_amcheck. */
export const postgresChecks: readonly Check[] = [
  sqlCheck(
    'indexes are valid',
    1,
    () => `select 'the index ' || indexrelid::regclass || ' is not valid' as what from pg_index
      where not (indisvalid and indisready and indislive)`,
  ),
  sqlCheck(
    'constraints are valid',
    1,
    () => `select 'the constraint ' || conname || ' of ' || conrelid::regclass || ' is not valid' as what
      from pg_constraint where not convalidated`,
  ),
];
