interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** A limit on concurrent use, with a queue. */
export class Slots {
  readonly #limit: number;
  readonly #timeoutMs: number;
  #used = 0;
  #waiting: Waiting[] = [];

  constructor(limit: number, timeoutMs: number) {
    this.#limit = limit;
    this.#timeoutMs = timeoutMs;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  acquire(): Promise<void> | undefined {
    if (this.#used < this.#limit) {
      this.#used++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
        reject(new Error('timeout while waiting for a connection to a node'));
      }, this.#timeoutMs);
      const waiting = { resolve, reject, timer };
      this.#waiting.push(waiting);
    });
  }

  /** The next one in the queue takes the slot. */
  release(): void {
    const next = this.#waiting.shift();
    if (!next) {
      this.#used--;
      return;
    }
    clearTimeout(next.timer);
    next.resolve();
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
