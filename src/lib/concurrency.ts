interface Waiting {
  readonly isUrgent: boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** Lets a limited number of callers work at the same time. The others wait in order, urgent ones first. */
export class Semaphore {
  readonly #limit: number;
  readonly #timeoutMs: number | undefined;
  #used = 0;
  #waiting: Waiting[] = [];

  /** A caller that waits longer than `timeoutMs` is rejected. */
  constructor(limit: number, timeoutMs?: number) {
    this.#limit = limit;
    this.#timeoutMs = timeoutMs;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The callers that work or wait. */
  get active(): number {
    return this.#used + this.waiting;
  }

  /** Undefined if the caller need not wait. */
  acquire(isUrgent = false): Promise<void> | undefined {
    if (this.#used < this.#limit) {
      this.#used++;
      return undefined;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer =
      this.#timeoutMs === undefined ? undefined : setTimeout(() => this.#giveUp(waiting), this.#timeoutMs);
    const waiting = { isUrgent, resolve, reject, timer };
    const at = isUrgent ? this.#waiting.findLastIndex((each) => each.isUrgent) + 1 : this.#waiting.length;
    this.#waiting.splice(at, 0, waiting);
    return promise;
  }

  #giveUp(waiting: Waiting): void {
    this.#waiting = this.#waiting.filter((each) => each !== waiting);
    waiting.reject(new Error('timeout while waiting for a free place'));
  }

  /** The next one in the queue takes the place. */
  release(): void {
    const next = this.#waiting.shift();
    if (!next) {
      this.#used--;
      return;
    }
    clearTimeout(next.timer);
    next.resolve();
  }

  async run<T>(work: () => Promise<T>, isUrgent = false): Promise<T> {
    await this.acquire(isUrgent);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  rejectWaiting(error: Error): void {
    const rejected = this.#waiting;
    this.#waiting = [];
    for (const { reject, timer } of rejected) {
      clearTimeout(timer);
      reject(error);
    }
  }
}

/** Lets one caller wait for a time that another can end. A wake while no one waits ends the next wait. */
export class Alarm {
  #isAwake = false;
  #end = () => {};

  wake(): void {
    this.#isAwake = true;
    this.#end();
  }

  /** Resolves after a wake, or after `ms`, which may be infinite. */
  async wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = Number.isFinite(ms) ? setTimeout(resolve, ms).unref() : undefined;
    this.#end = resolve;
    if (this.#isAwake) resolve();
    await promise;
    clearTimeout(timer);
    this.#isAwake = false;
  }
}

/** How long to wait before another attempt: doubled after each failure. Half of it is random, so that several callers do not
 *  return at the same moment. */
export const backoff = (firstMs: number, failures: number, maxMs = Number.POSITIVE_INFINITY): number =>
  Math.min(firstMs * 2 ** failures, maxMs) * (0.5 + Math.random() / 2);

/** The result of some work, or after `ms` that of `late`, which may throw. The work continues. */
export const withTimeout = <T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(new Promise((settle) => settle(late()))), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
