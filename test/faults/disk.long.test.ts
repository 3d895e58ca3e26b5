import { describe, it } from 'node:test';
import { PROMISED } from '../kit/figures.ts';
import { noStrace } from '../kit/strace.ts';
import { countFlushes, fillDisk, holdLock, injectErrors } from './proofs/disk.ts';

const writes = Number(process.env.FLUSHED_WRITES ?? 1_000);

describe('A disk', () => {
  const skip = noStrace();
  it('has every answered write: each is flushed before its answer', { skip }, (test) =>
    countFlushes(test, writes),
  );
  for (const from of [1, 2, 7]) {
    it(`that fails to flush from the ${from}. time on`, { skip }, (test) =>
      injectErrors(test, PROMISED, { calls: 'fsync,fdatasync', from, lengthMs: 10_000 }),
    );
    it(`that fails to write from the ${from}. time on`, { skip }, (test) =>
      injectErrors(test, PROMISED, { calls: 'pwrite64', from, lengthMs: 10_000 }),
    );
  }
  it('that is full', (test) => fillDisk(test, PROMISED, 20_000));
  it('whose database somebody else holds for ten seconds', (test) => holdLock(test, PROMISED, 5_000));
});
