/** Far longer than a turn with a thousand connections takes. Two of them are what a gate lets wait, too. */
const LATE_MS = 1_000;

const asked = Symbol('when this connection asked last');

/** What requests come over. */
export interface TrackedSocket {
  [asked]?: number;
}

/** How late the event loop is. Requests that are answered synchronously wait in their sockets, not in a queue: one turn
 *  answers all that have arrived, and the last one has waited for all before it. A single long turn is an accident (garbage
 *  collection, a suspended machine); two in a row mean that the loop is late. Where more than a thousand connections send
 *  without a pause, one turn serves each of them many times; then none has waited longer than since its last request. */
export class EventLoopLag {
  readonly #now: () => number;
  readonly #atEnd: (end: () => void) => void;
  #began = 0;
  #ended = 0;
  #isOpen = false;
  #wasLong = false;

  constructor(now = () => performance.now(), atEnd: (end: () => void) => void = setImmediate) {
    this.#now = now;
    this.#atEnd = atEnd;
  }

  /** Asked for every request, with the connection over which it came. */
  isLate(by: TrackedSocket): boolean {
    const now = this.#now();
    const since = by[asked] ?? 0;
    by[asked] = now;
    if (this.#isOpen) return this.#wasLong && now - Math.max(this.#began, since) > LATE_MS;
    this.#isOpen = true;
    this.#began = now;
    if (now - this.#ended > LATE_MS) this.#wasLong = false;
    this.#atEnd(this.#end);
    return false;
  }

  readonly #end = () => {
    this.#ended = this.#now();
    this.#wasLong = this.#ended - this.#began > LATE_MS;
    this.#isOpen = false;
  };
}
