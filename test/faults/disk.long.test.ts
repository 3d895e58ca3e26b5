import { describe, it } from 'node:test';
import { PROMISED } from '../kit/load/measurements.ts';
import { straceUnavailable } from '../kit/process/strace.ts';
import {
  countFlushes,
  delayFlushes,
  fillDisk,
  freezeDisk,
  injectErrors,
  lockDatabase,
} from './proofs/disk.ts';

const writes = Number(process.env.FLUSHED_WRITES ?? 1_000);

describe('Disk faults', () => {
  const skip = straceUnavailable();
  it('Each write is flushed to disk before it is acknowledged', { skip }, (test) =>
    countFlushes(test, writes),
  );
  for (const from of [1, 2, 7]) {
    it(`No acknowledged write is lost when flushes fail from flush ${from} on`, { skip }, (test) =>
      injectErrors(test, PROMISED, { calls: 'fsync,fdatasync', from, lengthMs: 10_000 }),
    );
    it(`No acknowledged write is lost when writes fail from write ${from} on`, { skip }, (test) =>
      injectErrors(test, PROMISED, { calls: 'pwrite64', from, lengthMs: 10_000 }),
    );
  }
  it('The service recovers from a full disk', (test) => fillDisk(test, PROMISED, 20_000));
  it('Writes are 503 within five seconds while flushes do not return', { skip }, (test) =>
    delayFlushes(test, PROMISED, 25_000),
  );
  for (const SERVE_THREADS of ['1', '2'])
    it(`Writes are 503, reads are answered and a stop works with ${SERVE_THREADS} serving threads on a frozen file system`, (test) =>
      freezeDisk(test, PROMISED, { SERVE_THREADS }));
  it('The service recovers after another process locks the database for ten seconds', (test) =>
    lockDatabase(test, PROMISED, 5_000));
});
