import { describe, it } from 'node:test';
import { hangServing, hangWriter } from './proofs/threads.ts';

describe('Threads that hang', { concurrency: true }, () => {
  it('A serving thread that hangs is reported and replaced, and does not delay a stop', () =>
    hangServing({}));
  it('While the writer thread hangs, writes are 503 and reads are answered', () => hangWriter());
});
