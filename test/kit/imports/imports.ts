import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { DashboardUser } from '../dashboard/users.ts';
import { logLines } from '../service/health.ts';
import type { Json, Reply, TestService } from '../service/test-service.ts';

type Caller = Pick<DashboardUser, 'call'>;

/** Uploads a file. Numbers without a country code are American unless the query contains a country. */
export const uploadCsv = (
  { call }: Caller,
  csv: string | Uint8Array,
  query: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  call('POST', `/imports?${new URLSearchParams({ country: 'US', ...query })}`, undefined, {
    raw: csv,
    headers: { 'content-type': 'text/csv' },
  });

/** Plans a file and returns the import. */
export const planCsv = async (...args: Parameters<typeof uploadCsv>): Promise<Json> => {
  const reply = await uploadCsv(...args);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.data;
};

const STALLED_MS = 60_000;

/** Waits until an import is idle, as long as it makes progress, and returns it. */
export const waitForImport = async ({ call }: Caller, id: string): Promise<Json> => {
  let [last, movedAt] = [-1, performance.now()];
  for (;;) {
    const reply = await call('GET', `/imports/${id}`);
    assert.equal(reply.status, 200, reply.text);
    const { data } = reply.body;
    if (!['planning', 'applying', 'undoing'].includes(data.state)) return data;
    if (data.progress !== last) [last, movedAt] = [data.progress, performance.now()];
    assert.ok(
      performance.now() - movedAt < STALLED_MS,
      `the import is stuck in ${data.state} at row ${last}`,
    );
    await pause(20);
  }
};

const runImport = async (caller: Caller, id: string, action: 'apply' | 'undo'): Promise<Json> => {
  const reply = await caller.call('POST', `/imports/${id}/${action}`);
  assert.equal(reply.status, 200, reply.text);
  return waitForImport(caller, id);
};

/** Applies a planned import and returns it when it is done. */
export const applyImport = (caller: Caller, id: string): Promise<Json> => runImport(caller, id, 'apply');

/** Undoes an applied import and returns it when it is done. */
export const undoImport = (caller: Caller, id: string): Promise<Json> => runImport(caller, id, 'undo');

/** All rows of an import in order. */
export const importRows = async ({ call }: Caller, id: string): Promise<Json[]> => {
  const rows: Json[] = [];
  for (let more = true; more; ) {
    const reply = await call('GET', `/imports/${id}/rows?limit=100&offset=${rows.length}`);
    assert.equal(reply.status, 200, reply.text);
    rows.push(...reply.body.data);
    more = reply.body.pagination.has_more;
  }
  return rows;
};

/** Rows with unique numbers, for files whose contacts do not matter. */
export const numberedRows = (count: number, notes = ''): string[] =>
  Array.from({ length: count }, (_, at) => {
    const digits = String(at % 100).padStart(2, '0');
    return `+1${200 + Math.floor(at / 100)}55501${digits},Row ${at + 1},${notes}\n`;
  });

/** Asserts that rejected files are not listed, that nothing of them stays stored, that no error was logged, and that
 *  the service works. */
export const assertNothingStored = async (service: TestService, { call }: Caller): Promise<void> => {
  const list = await call('GET', '/imports');
  assert.deepEqual([list.status, list.body.data, list.body.pagination?.total], [200, [], 0], list.text);
  const count = async (table: string) => {
    const [row] = await service.database.query(`select count(*) as count from ${table}`);
    return Number(row?.count);
  };
  assert.equal(await count('contacts'), 0, 'contacts');
  const left = async () => [await count('imports'), await count('import_rows'), await count('jobs')];
  for (let tries = 0; tries < 150 && (await left()).some((each) => each > 0); tries++) await pause(20);
  assert.deepEqual(await left(), [0, 0, 0], 'imports, rows and jobs');
  const faults = logLines(service).filter((line) => line.level === 'error' || line.status >= 500);
  assert.deepEqual(faults, []);
  assert.equal((await service.get('/healthz')).status, 200);
};
