import { describe, it } from 'node:test';
import { WIDE } from '../kit/figures.ts';
import { noStrace } from '../kit/strace.ts';
import { countFlushes, fillDisk, holdLock, injectErrors } from './proofs/disk.ts';

describe('A disk', { concurrency: true }, () => {
  const skip = noStrace();
  it('has every answered write: each is flushed before its answer', { skip }, (test) =>
    countFlushes(test, 50),
  );
  it('that fails to flush', { skip }, (test) =>
    injectErrors(test, WIDE, { calls: 'fsync,fdatasync', from: 1, lengthMs: 1_000 }),
  );
  it('that fails to write', { skip }, (test) =>
    injectErrors(test, WIDE, { calls: 'pwrite64', from: 1, lengthMs: 1_000 }),
  );
  it('that is full', (test) => fillDisk(test, WIDE, 1_500));
  it('whose database somebody else holds', (test) => holdLock(test, WIDE, 200));
});
