import { setTimeout as pause } from 'node:timers/promises';
import { userPath } from '../dashboard/user-path.ts';
import { createSessionCookie, type DashboardUser } from '../dashboard/users.ts';
import { engines, type TestDatabase } from '../database/engines.ts';
import { type Program, STARTUP_LINE, withPrograms } from '../process/program.ts';
import { type CallOptions, type Json, readReply } from '../service/test-service.ts';

const EMAIL = 'owner@example.com';

/** The real program on a database that survives it, and a signed-in user. */
export interface RestartableService extends Pick<DashboardUser, 'call'> {
  readonly database: TestDatabase;
  /** The current address. The port changes with each start. */
  url(): string;
  /** The current process. */
  pid(): number;
  /** The credentials, for requests that do not use `call`. */
  headers(): Record<string, string>;
  /** Kills the process. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Returns the number of bytes that the current process has logged since the last call, and discards them. */
  takeLoggedBytes(): number;
  /** The log lines and errors of all processes so far, without their startup messages. */
  errors(): string[];
}

/** Runs a test with a service that can be killed and restarted, on a new database or on the given one. */
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
        return readReply(
          await fetch(url + userPath(method, path), { method, headers, body: sent as string | null }),
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
            ...stdout.split('\n').filter((line) => line.startsWith('{') && !STARTUP_LINE.test(line)),
            ...stderr.split('\n').filter((line) => line !== ''),
          ]),
      });
    });
  } finally {
    await database.drop();
  }
};

/** Kills the service at a random moment of an import, restarts it, and returns the new state of the import. An
 *  unchanged state means that the kill interrupted the work. */
export const killDuringImport = async (
  service: RestartableService,
  { id, wait, afterMove }: { id: string; wait: number; afterMove: boolean },
): Promise<string> => {
  const getImport = async (): Promise<Json> => (await service.call('GET', `/imports/${id}`)).body.data;
  const before = await getImport();
  // A fast machine may have finished it before the first look.
  const isUnmoved = (now: Json) =>
    /ing$/.test(now.state) && now.state === before.state && now.progress === before.progress;
  for (let now = before; afterMove && isUnmoved(now); now = await getImport()) await pause(5);
  await pause(wait);
  await service.kill();
  await service.start();
  return (await getImport()).state;
};
