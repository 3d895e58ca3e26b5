import type { TestDatabase } from './engines.ts';

/** Drops all tables of the public schema except those of extensions. */
export const dropTables = async ({ query }: Pick<TestDatabase, 'query'>): Promise<void> => {
  const tables = await query(`select c.oid::regclass::text as name from pg_class as c
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and not exists (select 1 from pg_depend where objid = c.oid and deptype = 'e')`);
  if (tables.length > 0) await query(`drop table ${tables.map(({ name }) => name).join(', ')} cascade`);
};
