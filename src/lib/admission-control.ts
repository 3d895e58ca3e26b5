import type { MaybePromise } from './maybe-promise.ts';

/** How long whoever is let in may have to wait. */
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

/** How long somebody waited, and among how many. */
interface Wait {
  readonly ms: number;
  readonly among: number;
}

/** Knows how many may wait at a door so that nobody waits much longer than two seconds. That number is not set but learned:
 *  from how long they usually wait, and among how many, follows how many would have waited for two seconds. Fewer are let
 *  in only when nine of ten wait for longer: some take long for reasons of their own, and where the event loop is late, it
 *  is not the crowd at this door. A few who are served out of turn say nothing, either. `first` is what it begins with. */
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

  /** Counts work for as long as it takes. What is done at once has not waited. */
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
