import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createSessionCookie, type DashboardUser } from '../dashboard/users.ts';
import { engines, type TestDatabase } from '../database/engines.ts';
import { type Program, withPrograms } from '../process/program.ts';
import type { CallOptions, Json, Reply } from '../service/test-service.ts';

const EMAIL = 'owner@example.com';

/** The real program on a database that outlives it, and a signed-in person who calls it. */
export interface RestartableService extends Pick<DashboardUser, 'call'> {
  readonly database: TestDatabase;
  /** Where it answers now; another port after each start. */
  url(): string;
  /** The process that runs now. */
  pid(): number;
  /** Who calls, for a request that a test makes by itself. */
  headers(): Record<string, string>;
  /** Ends it as a power cut would, at once. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** How many bytes the program that runs now has logged since the last question; they are not kept any longer. */
  takeLoggedBytes(): number;
  /** What all programs so far have written that is no welcome and no plain note. */
  errors(): string[];
}

const replyOf = async (response: Response): Promise<Reply> => {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json;') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
};

/** Runs a test against a program that can be killed and started again, on a new database of an engine or on one that the
 *  test brings. */
export const withRestartableService = async (
  on: keyof typeof engines | TestDatabase,
  work: (service: RestartableService) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> => {
  const database = typeof on === 'string' ? await engines[on]() : on;
  try {
    await withPrograms(async (startProgram) => {
      const programs: Program[] = [];
      let url = '';
      let cookie = '';
      const start = async () => {
        const program = startProgram({ DATABASE_URL: database.url, LOG_LEVEL: 'warn', ...environment });
        programs.push(program);
        ({ url } = await program.ready());
      };
      const credentials = () => ({ cookie, origin: url });
      const call = async (method: string, path: string, body?: unknown, options: CallOptions = {}) => {
        const headers = {
          ...credentials(),
          'content-type': 'application/json',
          ...options.headers,
        } as Record<string, string>;
        const sent = options.raw ?? (body === undefined ? null : JSON.stringify(body));
        return replyOf(
          await fetch(`${url}/dashboard/api${path}`, { method, headers, body: sent as string | null }),
        );
      };
      await start();
      cookie = await createSessionCookie(database, EMAIL);
      await work({
        database,
        call,
        url: () => url,
        pid: () => programs.at(-1)?.pid ?? 0,
        headers: credentials,
        start,
        takeLoggedBytes: () => {
          const program = programs.at(-1);
          const bytes = Buffer.byteLength(program?.stdout ?? '');
          if (program) program.stdout = '';
          return bytes;
        },
        kill: async () => {
          programs.at(-1)?.kill('SIGKILL');
          await programs.at(-1)?.exit();
        },
        errors: () =>
          programs.flatMap(({ stdout, stderr }) => [
            ...stdout.split('\n').filter((line) => line.startsWith('{')),
            ...stderr.split('\n').filter((line) => line !== ''),
          ]),
      });
    });
  } finally {
    await database.drop();
  }
};

/** Numbers from 0 to 1 that look random and are the same for the same seed. */
export const seededRandom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const STALLED_MS = 60_000;

/** Waits until nothing works on an import any more, for as long as it gets on at all. */
export const waitForImportProgress = async (
  { call }: Pick<DashboardUser, 'call'>,
  id: string,
): Promise<Json> => {
  let [last, movedAt] = [-1, performance.now()];
  for (;;) {
    const { data } = (await call('GET', `/imports/${id}`)).body;
    if (!['planning', 'applying', 'undoing'].includes(data.state)) return data;
    if (data.progress !== last) [last, movedAt] = [data.progress, performance.now()];
    assert.ok(performance.now() - movedAt < STALLED_MS, `it stays ${data.state} at row ${last}`);
    await pause(50);
  }
};

/** Kills the program at a random moment of what an import does, starts it again, and gives the state that the new one
 *  finds. Where that is still the state of before, the kill has hit in the midst of the work. */
export const killDuringImport = async (
  service: RestartableService,
  { id, wait, afterMove }: { id: string; wait: number; afterMove: boolean },
): Promise<string> => {
  const getImport = async (): Promise<Json> => (await service.call('GET', `/imports/${id}`)).body.data;
  const before = await getImport();
  for (let now = before; afterMove && now.state === before.state && now.progress === before.progress; ) {
    await pause(5);
    now = await getImport();
  }
  await pause(wait);
  await service.kill();
  await service.start();
  return (await getImport()).state;
};
