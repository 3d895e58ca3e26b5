import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createBulkJob, MAX_UNFINISHED } from '../../src/features/bulk/bulk.service.ts';
import { claimJob, postponeJob } from '../../src/jobs/job.service.ts';
import { type JobHandlers, startRunner } from '../../src/jobs/runner.ts';
import { unavailable } from '../../src/lib/errors.ts';
import { createLog } from '../../src/lib/log.ts';
import { COMMAND_LINE } from '../../src/records/change.ts';
import { jobHandlers, jobKinds } from '../../src/wiring/handlers.ts';
import { engines } from '../kit/database/engines.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { databaseFor, storageFor } from '../kit/service/scoped-resources.ts';

const LONG = Object.keys(jobHandlers.long);
const SHORT = Object.keys(jobHandlers.short);
/** Ends any job: the bulk job with its subject does not exist. */
const finish = jobHandlers.long['bulk.expiring'];
const log = createLog({ level: 'error', pretty: false, write: () => {} });
const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();

for (const engine of Object.keys(engines) as (keyof typeof engines)[]) {
  describe(`The job queue on ${engine}`, () => {
    const open = async (test: TestContext) => {
      const database = await databaseFor(test, engine);
      const storage = await storageFor(test, database);
      const workspaces: number[] = [];
      for (let count = 0; count < 3; count++)
        workspaces.push((await makeWorkspace(storage)).principal.workspace);
      const [busy, quiet, other] = workspaces as [number, number, number];
      let added = 0;
      /** Jobs are due in the order in which they are added. */
      const add = (workspace: number, kind: string, subject: string): Promise<unknown> =>
        database.query(
          'insert into jobs (workspace_id, kind, subject, created_at, due_at, failures) values (?, ?, ?, ?, ?, 0)',
          workspace,
          kind,
          subject,
          at(added),
          at(added++),
        );
      const addMany = async (workspace: number, kinds: readonly string[], count: number) => {
        for (let number = 0; number < count; number++)
          await add(workspace, kinds[number % kinds.length] ?? '', `job ${String(number).padStart(3, '0')}`);
      };
      /** Claims as a runner of one instance does. */
      const instance = (kinds: readonly string[]) => {
        let after = 0;
        return async () => {
          const job = await storage.run(claimJob, null, { kinds, after });
          after = job?.workspace_id ?? after;
          return job && `${job.workspace_id} ${job.subject}`;
        };
      };
      return { database, storage, add, addMany, instance, busy, quiet, other };
    };

    it('Workspaces take turns, each with the job that has waited longest, whatever its kind', async (test) => {
      const { add, addMany, instance, busy, quiet, other } = await open(test);
      await addMany(busy, LONG, 30);
      await add(quiet, 'bulk.running', 'one contact');
      await add(other, 'import.applying', 'one row');
      await add(other, 'import.planning', 'next file');
      const claim = instance(LONG);
      const order: (string | undefined)[] = [];
      for (let count = 0; count < 7; count++) order.push(await claim());
      assert.deepEqual(order, [
        `${busy} job 000`,
        `${quiet} one contact`,
        `${other} one row`,
        `${busy} job 001`,
        `${other} next file`,
        `${busy} job 002`,
        `${busy} job 003`,
      ]);
    });

    it('Each of two instances lets the workspaces take turns, and they claim different jobs', async (test) => {
      const { add, addMany, instance, busy, quiet, other } = await open(test);
      await addMany(busy, LONG, 30);
      const [one, two] = [instance(LONG), instance(LONG)];
      assert.deepEqual([await one(), await two()], [`${busy} job 000`, `${busy} job 001`]);
      await add(quiet, 'bulk.running', 'one contact');
      await add(other, 'import.applying', 'one row');
      assert.deepEqual([await one(), await two()], [`${quiet} one contact`, `${other} one row`]);
      assert.equal(await one(), `${busy} job 002`);
      const many = await Promise.all(Array.from({ length: 6 }, (_, count) => (count % 2 ? one : two)()));
      assert.equal(new Set(many).size, 6, 'no job is claimed twice');
    });

    it('A campaign that starts or ends waits neither for long jobs nor for other campaigns', async (test) => {
      const { add, addMany, instance, busy, quiet } = await open(test);
      await addMany(busy, [...LONG, ...SHORT], 3 * jobKinds.length);
      for (const kind of SHORT) await add(quiet, kind, kind);
      const claim = instance(SHORT);
      const order: (string | undefined)[] = [];
      for (let count = 0; count < 2 * SHORT.length; count++) order.push(await claim());
      assert.deepEqual(
        order.filter((_, index) => index % 2 === 1),
        SHORT.map((kind) => `${quiet} ${kind}`),
      );
    });

    it('A workspace has a limited number of unfinished bulk jobs, also if they are created at the same time', async (test) => {
      const { storage, busy, quiet } = await open(test);
      const create = (workspace: number, action: 'delete' | 'export') =>
        storage.run(
          createBulkJob,
          { workspace, actor: COMMAND_LINE },
          { job: { action, selection: { filter: {}, except: [] } }, count: { total: 0, missing: 0 } },
        );
      const created = await Promise.allSettled(
        Array.from({ length: MAX_UNFINISHED + 10 }, () => create(busy, 'delete')),
      );
      const failures = created.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      assert.equal(failures.length, 10);
      for (const { code, message } of failures) {
        assert.equal(code, 'CONFLICT');
        assert.match(message, /has 20 unfinished bulk jobs. Wait for one to finish, or cancel one.$/);
      }
      await create(busy, 'export');
      await create(quiet, 'delete');
    });

    it('The runner runs short jobs while a long step is running, and the workspaces in turn', async (test) => {
      const { storage, add, addMany, busy, quiet } = await open(test);
      const [long = '', short = ''] = [LONG[0], SHORT[0]];
      await addMany(busy, [long], 20);
      await add(quiet, long, 'one contact');
      await add(quiet, short, 'start');
      const order: number[] = [];
      const shortHasRun = Promise.withResolvers<void>();
      const allHaveRun = Promise.withResolvers<void>();
      const handlers: JobHandlers = {
        long: {
          [long]: async (_, { job }) => {
            await shortHasRun.promise;
            order.push(job.workspace_id);
            if (order.length === 21) allHaveRun.resolve();
            return finish(storage, { job, size: 1 });
          },
        },
        short: {
          [short]: async (_, work) => {
            shortHasRun.resolve();
            return finish(storage, work);
          },
        },
      };
      const runner = startRunner(storage, handlers, log);
      await allHaveRun.promise;
      await runner.stop();
      assert.deepEqual(order.slice(0, 3), [busy, quiet, busy]);
    });

    it('A job that fails in an outage of the database, as one that causes it, runs again only after its backoff', async (test) => {
      const { database, storage, add, busy } = await open(test);
      const [long = ''] = LONG;
      await add(busy, long, 'too large');
      let refusals = 2;
      const failing: typeof storage = {
        ...storage,
        run: ((operation, principal, input) => {
          if ((operation as unknown) !== postponeJob || refusals-- <= 0)
            return storage.run(operation, principal, input);
          return Promise.reject(unavailable());
        }) as typeof storage.run,
      };
      const logged = Promise.withResolvers<void>();
      const step = async () => {
        throw new Error('too slow');
      };
      const quiet = createLog({ level: 'error', pretty: false, write: () => logged.resolve() });
      const runner = startRunner(failing, { long: { [long]: step }, short: {} }, quiet);
      await logged.promise;
      await runner.stop();
      assert.deepEqual(
        (await database.query('select failures from jobs')).map(({ failures }) => Number(failures)),
        [1],
      );
    });

    it('All jobs are read at the start and after the clock was set back, not with each poll', async (test) => {
      const { storage } = await open(test);
      const counts: Record<string, number> = { isJobDue: 0, rescheduleAfterClockChange: 0 };
      const polled: (() => void)[] = [];
      const counting: typeof storage = {
        ...storage,
        run: ((operation, principal, input) => {
          const name = operation.operationName;
          if (name in counts) counts[name] = (counts[name] ?? 0) + 1;
          polled.shift()?.();
          return storage.run(operation, principal, input);
        }) as typeof storage.run,
      };
      const runner = startRunner(counting, jobHandlers, log);
      const pollUntil = async (isReached: () => boolean) => {
        while (!isReached()) {
          const next = new Promise<void>((resolve) => polled.push(resolve));
          runner.wake();
          await next;
        }
      };
      await pollUntil(() => Number(counts.isJobDue) >= 20);
      assert.ok(Number(counts.rescheduleAfterClockChange) <= 2, `${counts.rescheduleAfterClockChange} times`);
      const now = Date.now;
      test.mock.method(Date, 'now', () => now() - 3_600_000);
      const before = Number(counts.rescheduleAfterClockChange);
      await pollUntil(() => Number(counts.rescheduleAfterClockChange) > before);
      await runner.stop();
    });
  });
}
