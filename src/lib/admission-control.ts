import type { MaybePromise } from './maybe-promise.ts';

/** How long an admitted request may have to wait. */
const PATIENCE_MS = 2_000;
/** So many are no crowd, however slow it goes. */
const FEWEST = 32;
const MOST = 10_000;
/** How often it is judged, by how many of the waits since: so many, picked from all, and not by fewer than a handful. */
const JUDGED_EVERY_MS = 200;
const LOOKED_AT = 101;
const HANDFUL = 5;
/** After a rest as long as this, what was before says nothing of now. */
const STALE_MS = 10_000;

/** How long a request waited, and how many were waiting. */
interface Wait {
  readonly ms: number;
  readonly among: number;
}

/** Learns how many requests may wait so that none waits much longer than two seconds: from how long requests wait, and how
 *  many are waiting then, it derives how many would wait for two seconds. The limit falls only when nine of ten wait for
 *  longer: some are slow for other reasons, and a late event loop is not caused by this queue. A few requests that are
 *  served out of order do not count either. `first` is the initial limit. */
export class AdmissionQueue {
  readonly #now: () => number;
  #room: number;
  #inside = 0;
  #beganAt = 0;
  #leftAt = 0;
  #left = 0;
  #waits: Wait[] = [];

  constructor(first: number, now = () => performance.now()) {
    this.#room = first;
    this.#now = now;
  }

  get isFull(): boolean {
    return this.#inside >= this.#room;
  }

  /** Counts work while it runs. Synchronous work has not waited. */
  admit<T>(work: () => Promise<T>): Promise<T>;
  admit<T>(work: () => MaybePromise<T>): MaybePromise<T>;
  admit<T>(work: () => MaybePromise<T>): MaybePromise<T> {
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
    if (now - this.#leftAt > STALE_MS) this.#begin(now);
    this.#leftAt = now;
    this.#note(Math.max(now - began, 1), among);
    if (now - this.#beganAt < JUDGED_EVERY_MS || this.#left < HANDFUL) return;
    this.#judge();
    this.#begin(now);
  }

  #begin(now: number) {
    this.#beganAt = now;
    this.#left = 0;
    this.#waits = [];
  }

  /** Keeps some of all, each with the same chance: the first to leave are those who came first, among the fewest. */
  #note(ms: number, among: number) {
    const at = this.#left < LOOKED_AT ? this.#left : Math.floor(Math.random() * (this.#left + 1));
    this.#left++;
    if (at < LOOKED_AT) this.#waits[at] = { ms, among };
  }

  #judge() {
    const at = (share: number) => Math.floor(this.#waits.length * share);
    const byShare = this.#waits.toSorted((one, other) => one.ms / one.among - other.ms / other.among);
    const usual = byShare[at(0.5)] as Wait;
    const fitting = Math.floor((usual.among * PATIENCE_MS) / usual.ms);
    if (usual.ms <= PATIENCE_MS) this.#room = Math.max(this.#room, Math.min(MOST, fitting));
    else if (usual.among >= FEWEST && this.#shortOf(at(0.1)) > PATIENCE_MS) {
      this.#room = Math.max(FEWEST, fitting);
    }
  }

  /** The wait that so many of those looked at were shorter than. */
  #shortOf(many: number): number {
    return this.#waits.map(({ ms }) => ms).sort((one, other) => one - other)[many] as number;
  }
}
