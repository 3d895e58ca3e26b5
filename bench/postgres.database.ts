import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { startPostgres } from '../test/kit/database/postgres-server.ts';

const queryOnce = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
};

/** A database for this run, on its own server over a local socket, or on the server of TEST_DATABASE_URL. */
export const openDatabase = async () => {
  const given = process.env.TEST_DATABASE_URL;
  const own = given ? undefined : await startPostgres();
  const server = given ?? own?.socketUrl ?? '';
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await queryOnce(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const [row] = await queryOnce(server, 'show server_version');
  return {
    url: url.href,
    query: (text: string) => queryOnce(url.href, text),
    version: String(row?.server_version).split(' ')[0],
    close: async () => {
      await queryOnce(server, `drop database ${name} with (force)`);
      await own?.stop();
    },
  };
};
