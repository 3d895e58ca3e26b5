import { describe, it } from 'node:test';
import { engines } from '../kit/database/engines.ts';
import { databaseFor } from '../kit/service/scoped-resources.ts';
import { forceStop, hangFirst, hangServing, replaceReader, replaceWriter } from './proofs/threads.ts';

describe('Threads that hang on every engine', () => {
  for (const engine of Object.keys(engines) as (keyof typeof engines)[]) {
    const environment = async (test: Parameters<typeof databaseFor>[0]) => ({
      DATABASE_URL: (await databaseFor(test, engine)).url,
    });
    it(`A serving thread that hangs is replaced on ${engine}`, async (test) =>
      hangServing(await environment(test)));
    for (const SERVE_THREADS of ['1', '2'])
      it(`A first of ${SERVE_THREADS} serving threads that hangs ends the process on ${engine}`, async (test) =>
        hangFirst({ ...(await environment(test)), SERVE_THREADS }));
  }
});

describe('Threads that hang on SQLite', { concurrency: true }, () => {
  it('A writer thread that hangs is replaced, and its write can be repeated', () => replaceWriter());
  it('A reader thread that hangs is replaced, and short reads are answered', () => replaceReader());
  it('A stop ends by force while a thread hangs', () => forceStop());
});
