/** Far longer than a turn of the event loop with a thousand connections. */
const LATE_MS = 1_000;

const lastRequestAt = Symbol('time of the last request');

export interface TrackedSocket {
  [lastRequestAt]?: number;
}

/** Detects an overloaded event loop. Requests that are handled synchronously wait in their sockets, not in a queue: one
 *  turn handles all that have arrived, and the last one has waited for all others. A single long turn can be garbage
 *  collection or a suspended machine; two in a row mean overload. With many connections, one turn can serve each of them
 *  several times; a request has then waited at most since the previous one on its connection. */
export class EventLoopLag {
  readonly #now: () => number;
  readonly #onTurnEnd: (end: () => void) => void;
  #began = 0;
  #ended = 0;
  #isInTurn = false;
  #wasLong = false;

  constructor(now = () => performance.now(), onTurnEnd: (end: () => void) => void = setImmediate) {
    this.#now = now;
    this.#onTurnEnd = onTurnEnd;
  }

  /** Call it once for every request. */
  isLate(socket: TrackedSocket): boolean {
    const now = this.#now();
    const previous = socket[lastRequestAt] ?? 0;
    socket[lastRequestAt] = now;
    if (this.#isInTurn) return this.#wasLong && now - Math.max(this.#began, previous) > LATE_MS;
    this.#isInTurn = true;
    this.#began = now;
    if (now - this.#ended > LATE_MS) this.#wasLong = false;
    this.#onTurnEnd(this.#end);
    return false;
  }

  readonly #end = () => {
    this.#ended = this.#now();
    this.#wasLong = this.#ended - this.#began > LATE_MS;
    this.#isInTurn = false;
  };
}
