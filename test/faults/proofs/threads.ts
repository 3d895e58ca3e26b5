import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newPhone } from '../../kit/fixtures/factories.ts';
import { type Program, STARTUP_LINE, withPrograms } from '../../kit/process/program.ts';
import { type Json, KEY, type Reply, readReply } from '../../kit/service/test-service.ts';
import { eventually } from '../../kit/webhooks/deliveries.ts';

const PRELOAD = new URL('../../kit/faults/hang.preload.ts', import.meta.url).href;
const TIMEOUT_MS = 8_000;

export interface HangingService {
  readonly program: Program;
  /** Makes a thread hang, and resolves when it does. */
  hang(thread: 'main' | 'serving' | 'writer' | 'reader'): Promise<void>;
  /** Calls the API. A request that is not answered in time throws. */
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply>;
  /** The value of a metric. Another connection is used after one to a thread that hangs. */
  metric(line: string): Promise<number>;
  /** The lines of the log. */
  log(): Json[];
}

/** Runs the program with threads that can be made to hang. */
export const withHangingService = async (
  environment: Record<string, string>,
  work: (service: HangingService) => Promise<void>,
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-hang-'));
  try {
    await withPrograms(async (start) => {
      const program = start({
        HANG_FOLDER: folder,
        NODE_OPTIONS: `--import=${PRELOAD}`,
        ROSTER_API_KEY: KEY,
        LOG_LEVEL: 'warn',
        ...environment,
      });
      const { url } = await program.ready();
      const call: HangingService['call'] = async (method, path, body, headers = {}) =>
        readReply(
          await fetch(url + path, {
            method,
            headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
            body: body ? JSON.stringify(body) : null,
            signal: AbortSignal.timeout(TIMEOUT_MS),
          }),
        );
      await work({
        program,
        call,
        hang: async (thread) => {
          const file = join(folder, thread);
          writeFileSync(file, '');
          await eventually(`the ${thread} thread hangs`, () => !existsSync(file));
        },
        metric: (line) =>
          eventually(line, async () => {
            const { text } = await call('GET', '/metrics').catch(() => ({ text: '' }));
            const found = text.split('\n').find((each) => each.startsWith(`${line} `));
            return found && Number(found.slice(line.length));
          }) as Promise<number>,
        log: () =>
          program.stdout
            .split('\n')
            .filter((text) => text.startsWith('{') && !STARTUP_LINE.test(text))
            .map((text) => JSON.parse(text)),
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const untilLogged = ({ log }: HangingService, message: string, thread: string): Promise<unknown> =>
  eventually(`the log says "${message}"`, () =>
    log().some((line) => line.message === message && line.thread === thread),
  );

/** A serving thread that hangs is replaced, and a stop does not wait for one. */
export const hangServing = (environment: Record<string, string>): Promise<void> =>
  withHangingService({ SERVE_THREADS: '2', ...environment }, async (service) => {
    await service.hang('serving');
    await untilLogged(service, 'thread hangs and is replaced', 'serving');
    await untilLogged(service, 'thread ended and is replaced', 'serving');
    await eventually(
      'both threads serve',
      async () => (await service.metric('roster_serving_threads')) === 2,
    );
    assert.equal(await service.metric('roster_thread_hangs_total{thread="serving"}'), 1);
    assert.equal(await service.metric('roster_thread_exits_total{thread="serving"}'), 1);
    await service.hang('serving');
    assert.equal(await service.program.stop(), 0, 'it stops by itself');
    assert.ok(!service.program.stdout.includes('took too long'));
  });

const createContact = ({ call }: HangingService, phone_number: string): Promise<Reply> =>
  call('POST', '/v1/contacts', { phone_number }, { 'idempotency-key': phone_number });

/** While the writer hangs, writes are 503 in time and reads are answered. */
const refuseWrites = async (service: HangingService, phone: string): Promise<void> => {
  const { call } = service;
  await service.hang('writer');
  const refused = await createContact(service, phone);
  assert.equal(refused.status, 503, refused.text);
  assert.equal(refused.headers.get('retry-after'), '1');
  assert.match(refused.body.error.message, /^The database does not answer\. A change may still be applied:/);
  const [next, read, ready] = [
    await createContact(service, phone),
    await call('GET', '/v1/contacts'),
    await call('GET', '/readyz'),
  ];
  assert.match(next.body.error.message, /^The database does not answer\. Nothing was changed\./);
  assert.equal(read.status, 200, read.text);
  assert.deepEqual([ready.status, ready.body.error.message], [503, 'The database does not answer.']);
  assert.equal(await service.metric('roster_database_lost{reason="no_answer"}'), 1);
};

export const hangWriter = (): Promise<void> =>
  withHangingService({}, (service) => refuseWrites(service, newPhone()));

/** A writer that hangs is replaced, and the repeated write is stored once. */
export const replaceWriter = (): Promise<void> =>
  withHangingService({}, async (service) => {
    const { call } = service;
    const phone = newPhone();
    await refuseWrites(service, phone);
    await untilLogged(service, 'thread hangs and is replaced', 'writer');
    await eventually('it is ready again', async () => (await call('GET', '/readyz')).status === 200);
    assert.equal((await createContact(service, phone)).status, 201);
    assert.equal((await call('GET', '/v1/contacts')).body.pagination.total, 1);
    assert.equal(await service.metric('roster_thread_hangs_total{thread="writer"}'), 1);
    assert.equal(await service.metric('roster_thread_exits_total{thread="writer"}'), 1);
    assert.deepEqual(
      service.log().map(({ message }) => message),
      ['database lost', 'thread hangs and is replaced', 'database found'],
    );
  });

/** A reader that hangs is replaced, and short reads do not notice it. */
export const replaceReader = (): Promise<void> =>
  withHangingService({}, async (service) => {
    const { call } = service;
    // Each search is another one, because answers are cached.
    let count = 0;
    const search = () => call('GET', `/v1/contacts?search=nothing${count++}`);
    assert.equal((await search()).status, 200);
    await service.hang('reader');
    await assert.rejects(search(), { name: 'TimeoutError' });
    assert.equal((await call('GET', '/v1/contacts')).status, 200);
    await untilLogged(service, 'thread hangs and is replaced', 'reader');
    await untilLogged(service, 'thread ended and is replaced', 'reader');
    assert.equal(await service.metric('roster_thread_hangs_total{thread="reader"}'), 1);
    await eventually('searches are answered', async () =>
      search().then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });

/** A stop that a thread prevents ends by force, and says so. */
export const forceStop = (): Promise<void> =>
  withHangingService({}, async ({ program, hang, log }) => {
    await hang('writer');
    assert.equal(await program.stop(), null, 'it was killed');
    const errors = log().filter(({ level }) => level === 'error');
    assert.deepEqual(
      errors.map(({ message }) => message),
      ['the stop took too long, so the process ends'],
    );
  });

/** A first thread that hangs ends the process, so that it is started again. */
export const hangFirst = (environment: Record<string, string>): Promise<void> =>
  withHangingService(environment, async ({ program, hang, log }) => {
    await hang('main');
    program.kill('SIGTERM');
    assert.equal(await program.exit(), null, 'it was killed');
    assert.deepEqual(
      log().map(({ level, message }) => [level, message]),
      [['error', 'the first thread hangs, so the process ends']],
    );
  });
