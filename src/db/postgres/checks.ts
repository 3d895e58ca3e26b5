import { type Check, sqlCheck } from '../check.ts';

/** PostgreSQL checks its pages itself, with data checksums and pg_amcheck. */
export const postgresChecks: readonly Check[] = [
  sqlCheck(
    'indexes are valid',
    () => `select 'the index ' || indexrelid::regclass || ' is not valid' as what from pg_index
      where not (indisvalid and indisready and indislive)`,
  ),
  sqlCheck(
    'constraints are valid',
    () => `select 'the constraint ' || conname || ' of ' || conrelid::regclass || ' is not valid' as what
      from pg_constraint where not convalidated`,
  ),
  sqlCheck(
    'no trigger or rule was added to the tables',
    () => `select 'the trigger ' || tgname || ' of ' || tgrelid::regclass || ' is not part of Roster' as what
      from pg_trigger join pg_class as c on c.oid = tgrelid
      where not tgisinternal and relnamespace = quote_ident(current_schema())::regnamespace
      union all select 'the rule ' || rulename || ' of ' || ev_class::regclass || ' is not part of Roster'
      from pg_rewrite join pg_class as c on c.oid = ev_class
      where relkind in ('r', 'p') and relnamespace = quote_ident(current_schema())::regnamespace`,
  ),
];
