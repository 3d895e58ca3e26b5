const [READY, STOPPING] = [0, 1];

/** The state of the service, which all its serving threads see. */
export class ServiceState {
  readonly cells: Int32Array<SharedArrayBuffer>;

  /** `cells` are those of another thread. */
  constructor(cells = new Int32Array(new SharedArrayBuffer(8))) {
    this.cells = cells;
  }

  /** False from the announcement of the stop on, before `isStopping`. */
  readonly isReady = (): boolean => Atomics.load(this.cells, READY) === 0;

  readonly isStopping = (): boolean => Atomics.load(this.cells, STOPPING) === 1;

  announceStop(): void {
    Atomics.store(this.cells, READY, 1);
  }

  stop(): void {
    Atomics.store(this.cells, STOPPING, 1);
  }
}
