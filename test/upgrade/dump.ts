import { Client } from 'pg';

/** Records the DDL of a database in the schema `fixture`, because the bundled PostgreSQL has no pg_dump. */
const RECORD_DDL = `
  create schema fixture;
  create table fixture.ddl (number serial primary key, text text not null);
  create function fixture.record() returns event_trigger language plpgsql security definer as $$
    begin insert into fixture.ddl (text) values (current_query()); end $$;
  create event trigger record_ddl on ddl_command_end execute function fixture.record();
  create event trigger record_drop on sql_drop execute function fixture.record();`;

const withClient = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Call it on an empty database before the program migrates it. */
export const recordDdl = (url: string): Promise<unknown> =>
  withClient(url, (client) => client.query(RECORD_DDL));

/** The database as SQL: the recorded DDL, then the rows of all tables. */
export const dumpPostgres = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const rows = async <R extends object>(sql: string) => (await client.query<R>(sql)).rows;
    const ddl = (await rows<{ text: string }>('select text from fixture.ddl order by number'))
      .map(({ text }) => text.trim())
      .filter((text, at, all) => text !== all[at - 1]);
    const tables = await rows<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
    );
    const inserts: string[] = [];
    for (const { name } of tables) {
      const columns = await rows<{ name: string }>(
        `select quote_ident(attname) as name from pg_attribute
           where attrelid = 'public.${name}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
           order by attnum`,
      );
      const list = columns.map((column) => column.name).join(', ');
      const values = columns.map((column) => `quote_nullable(${column.name}::text)`).join(` || ', ' || `);
      const found = await rows<{ line: string }>(`select '(' || ${values} || ')' as line from ${name}`);
      if (found.length === 0) continue;
      const lines = found.map(({ line }) => line).join(',\n');
      inserts.push(`insert into ${name} (${list}) overriding system value values\n${lines};`);
    }
    const sequences = await rows<{ line: string }>(
      `select format('select setval(%L, %s)', schemaname || '.' || sequencename, last_value) || ';' as line
         from pg_sequences where schemaname = 'public' and last_value is not null`,
    );
    return [
      ...ddl.map((text) => `${text.replace(/;$/, '')};`),
      // Rows are inserted in the order of the tables' names, not of their references.
      'set session_replication_role = replica;',
      ...inserts,
      ...sequences.map(({ line }) => line),
      'set session_replication_role = default;',
      '',
    ].join('\n');
  });

export const restorePostgres = (url: string, sql: string): Promise<unknown> =>
  withClient(url, (client) => client.query(sql));
