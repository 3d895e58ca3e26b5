import type { Pending } from './pending.ts';

/** How long whoever is let in may have to wait. */
const PATIENCE_MS = 2_000;
/** So many are no crowd, however slow it goes. */
const FEWEST = 32;
const MOST = 10_000;
/** How often it is judged, by the shortest wait since: one that waits for a lock says nothing of the crowd. */
const JUDGED_EVERY_MS = 200;

/** Knows how many may wait at a door so that nobody waits longer than two seconds. That number is not set but learned:
 *  when even the shortest wait among a crowd of n was longer, fewer than n are let in, and when it was shorter, as many
 *  as would have fitted. A few who wait long say nothing of a crowd. `first` is what it begins with. */
export class Gate {
  readonly #now: () => number;
  #room: number;
  #inside = 0;
  #judgedAt = 0;
  #shortest = Number.POSITIVE_INFINITY;
  #among = 0;

  constructor(first: number, now = () => performance.now()) {
    this.#room = first;
    this.#now = now;
  }

  get isFull(): boolean {
    return this.#inside >= this.#room;
  }

  /** Counts work for as long as it takes. What is done at once has not waited. */
  pass<T>(work: () => Promise<T>): Promise<T>;
  pass<T>(work: () => Pending<T>): Pending<T>;
  pass<T>(work: () => Pending<T>): Pending<T> {
    const value = work();
    if (!(value instanceof Promise)) return value;
    const among = ++this.#inside;
    const began = this.#now();
    const leave = () => this.#leave(began, among);
    value.then(leave, leave);
    return value;
  }

  #leave(began: number, among: number) {
    this.#inside--;
    const now = this.#now();
    const waited = Math.max(now - began, 1);
    if (waited < this.#shortest) [this.#shortest, this.#among] = [waited, among];
    if (now - this.#judgedAt >= JUDGED_EVERY_MS) this.#judge(now);
  }

  #judge(now: number) {
    const fitting = Math.floor((this.#among * PATIENCE_MS) / this.#shortest);
    if (this.#shortest <= PATIENCE_MS) this.#room = Math.max(this.#room, Math.min(MOST, fitting));
    else if (this.#among >= FEWEST) this.#room = Math.max(FEWEST, fitting);
    this.#judgedAt = now;
    this.#shortest = Number.POSITIVE_INFINITY;
  }
}
