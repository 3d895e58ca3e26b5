import type { MaybePromise } from './maybe-promise.ts';

/** The longest wait that an admitted request should have. */
const MAX_WAIT_MS = 2_000;
const MIN_LIMIT = 32;
const MAX_LIMIT = 10_000;
/** How often the limit is adjusted, from a random sample of recent waits. */
const ADJUST_EVERY_MS = 200;
const SAMPLE_SIZE = 101;
const MIN_SAMPLES = 5;
/** After a pause of this length, earlier waits are ignored. */
const STALE_MS = 10_000;

/** How long a request waited, and how many were waiting when it arrived. */
interface Wait {
  readonly ms: number;
  readonly among: number;
}

/** Learns how many requests may wait so that none waits much longer than two seconds, from the waits of recent requests and
 *  the queue length that each of them found. The limit falls only when nine of ten waits are longer: a few requests are
 *  slow for other reasons, such as a delayed event loop or being served out of order. */
export class AdmissionQueue {
  readonly #now: () => number;
  #limit: number;
  #active = 0;
  #sampleStartedAt = 0;
  #lastFinishedAt = 0;
  #finished = 0;
  #sample: Wait[] = [];

  constructor(initialLimit: number, now = () => performance.now()) {
    this.#limit = initialLimit;
    this.#now = now;
  }

  /** The number of operations that run or wait. */
  get active(): number {
    return this.#active;
  }

  get limit(): number {
    return this.#limit;
  }

  get isFull(): boolean {
    return this.#active >= this.#limit;
  }

  /** Counts work while it runs. Synchronous work does not wait, so it is not counted. */
  admit<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    const value = work();
    if (!(value instanceof Promise)) return value;
    const among = ++this.#active;
    const began = this.#now();
    const finish = () => this.#finish(began, among);
    value.then(finish, finish);
    return value;
  }

  #finish(began: number, among: number) {
    this.#active--;
    const now = this.#now();
    if (now - this.#lastFinishedAt > STALE_MS) this.#startSample(now);
    this.#lastFinishedAt = now;
    this.#addToSample(Math.max(now - began, 1), among);
    if (now - this.#sampleStartedAt < ADJUST_EVERY_MS || this.#finished < MIN_SAMPLES) return;
    this.#adjust();
    this.#startSample(now);
  }

  #startSample(now: number) {
    this.#sampleStartedAt = now;
    this.#finished = 0;
    this.#sample = [];
  }

  /** Reservoir sampling: the first requests to finish alone would be a biased sample, since they found the shortest queue.
   *  */
  #addToSample(ms: number, among: number) {
    const at =
      this.#finished < SAMPLE_SIZE ? this.#finished : Math.floor(Math.random() * (this.#finished + 1));
    this.#finished++;
    if (at < SAMPLE_SIZE) this.#sample[at] = { ms, among };
  }

  #adjust() {
    const indexAt = (share: number) => Math.floor(this.#sample.length * share);
    const byWaitPerRequest = this.#sample.toSorted(
      (one, other) => one.ms / one.among - other.ms / other.among,
    );
    const median = byWaitPerRequest[indexAt(0.5)] as Wait;
    const derived = Math.floor((median.among * MAX_WAIT_MS) / median.ms);
    if (median.ms <= MAX_WAIT_MS) this.#limit = Math.max(this.#limit, Math.min(MAX_LIMIT, derived));
    else if (median.among >= MIN_LIMIT && this.#waitAt(indexAt(0.1)) > MAX_WAIT_MS) {
      this.#limit = Math.max(MIN_LIMIT, derived);
    }
  }

  /** The wait at an index of the sorted sample. */
  #waitAt(index: number): number {
    return this.#sample.map(({ ms }) => ms).sort((one, other) => one - other)[index] as number;
  }
}
