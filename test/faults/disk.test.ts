import { describe, it } from 'node:test';
import { RELAXED } from '../kit/load/measurements.ts';
import { straceUnavailable } from '../kit/process/strace.ts';
import {
  countFlushes,
  failCheckpoint,
  fillDisk,
  injectErrors,
  lockDatabase,
  startOnFullDisk,
} from './proofs/disk.ts';

describe('Disk faults', { concurrency: true }, () => {
  const skip = straceUnavailable();
  it('Each write is flushed to disk before it is acknowledged', { skip }, (test) => countFlushes(test, 50));
  it('No acknowledged write is lost when flushes fail', { skip }, (test) =>
    injectErrors(test, RELAXED, { calls: 'fsync,fdatasync', from: 1, lengthMs: 1_000 }),
  );
  it('No acknowledged write is lost when writes fail', { skip }, (test) =>
    injectErrors(test, RELAXED, { calls: 'pwrite64', from: 1, lengthMs: 1_000 }),
  );
  it('The service recovers from a full disk', (test) => fillDisk(test, RELAXED, 1_500));
  it('A checkpoint that fails on a full disk is counted and reported', failCheckpoint);
  it('A start on a full disk says that the disk is full', startOnFullDisk);
  it('The service recovers after another process locks the database', (test) =>
    lockDatabase(test, RELAXED, 200));
});
