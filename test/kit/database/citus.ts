import { Client } from 'pg';

interface Queried {
  query(sql: string): Promise<Record<string, unknown>[]>;
}

/** Drops all tables of the public schema except those of extensions. */
export const dropTables = async ({ query }: Queried): Promise<void> => {
  const tables = await query(`select c.oid::regclass::text as name from pg_class as c
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and not exists (select 1 from pg_depend where objid = c.oid and deptype = 'e')`);
  if (tables.length > 0) await query(`drop table ${tables.map(({ name }) => name).join(', ')} cascade`);
};

const run = async (url: string, ...statements: string[]): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

const withPath = (url: string, { host, name }: { host?: string | undefined; name: string }): string => {
  const changed = new URL(url);
  if (host) changed.host = host;
  changed.pathname = `/${name}`;
  return changed.href;
};

/** A superuser on the coordinator, in the database postgres or another one. */
export const adminUrl = (coordinator: string, path = '/postgres'): string => {
  const url = new URL(process.env.CITUS_ADMIN_URL ?? coordinator);
  if (!process.env.CITUS_ADMIN_URL) url.username = 'postgres';
  url.pathname = path;
  return url.href;
};

/** The coordinator and the workers, as host:port. The runner of the suites sets it. */
export const citusNodes = (): string[] => process.env.TEST_CITUS_NODES?.split(',') ?? [];

/** Few shards, so that a test database is small. */
const SHARDS = 4;

/** Requests that touch more than one shard fail. */
const ONE_SHARD = '-c citus.multi_task_query_log_level=error';

/** The URL for the service of a test. */
export const onOneShard = (url: string): string => {
  const changed = new URL(url);
  changed.searchParams.set('options', `${ONE_SHARD} -c citus.shard_count=${SHARDS}`);
  return changed.href;
};

const onAllNodes = async (server: string, statement: string): Promise<void> => {
  await Promise.all(citusNodes().map((host) => run(withPath(server, { host, name: 'postgres' }), statement)));
};

/** Creates an empty database on all nodes, or copies a template with its shards. */
export const createOnCitus = async (server: string, name: string, template: string): Promise<void> => {
  const isCopy = template !== 'template1';
  if (isCopy) await disconnect(server, template);
  await onAllNodes(server, `create database ${name} template ${template}`);
  if (isCopy) return;
  const nodes = citusNodes();
  for (const host of nodes) await run(withPath(server, { host, name }), 'create extension citus');
  const [coordinator, ...workers] = nodes.map((node) => new URL(`tcp://${node}`));
  const call = (command: string, { hostname = '', port = '' }: Partial<URL> = {}) =>
    `select ${command}('${hostname}', ${port})`;
  await run(
    withPath(server, { name }),
    call('citus_set_coordinator_host', coordinator),
    ...workers.map((worker) => call('citus_add_node', worker)),
  );
};

/** A template must have no connections, also none of the daemons of Citus. */
const disconnect = (server: string, name: string): Promise<void> =>
  onAllNodes(
    server,
    `update pg_database set datallowconn = false where datname = '${name}' and datallowconn;
     select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );

export const dropOnCitus = (server: string, name: string): Promise<void> =>
  onAllNodes(server, `drop database if exists ${name} with (force)`);
