import { type Fault, type FaultReason, faultReasons } from './errors.ts';

const REASONS = Object.keys(faultReasons) as FaultReason[];
const [STOP, REASON, REFUSED] = [0, 1, 2];
const [ANNOUNCED, STOPPING] = [1, 2];

/** The state of the service, which all its serving threads see. */
export class ServiceState {
  readonly cells: Int32Array<SharedArrayBuffer>;

  /** `cells` are those of another thread. */
  constructor(cells = new Int32Array(new SharedArrayBuffer(12))) {
    this.cells = cells;
  }

  /** False from the announcement of the stop on, before `isStopping`. */
  readonly isReady = (): boolean => Atomics.load(this.cells, STOP) === 0;

  readonly isStopping = (): boolean => Atomics.load(this.cells, STOP) === STOPPING;

  announceStop(): void {
    Atomics.compareExchange(this.cells, STOP, 0, ANNOUNCED);
  }

  stop(): void {
    Atomics.store(this.cells, STOP, STOPPING);
  }

  /** Why the database is lost. Undefined while it can be used. */
  get outage(): FaultReason | undefined {
    return REASONS[Atomics.load(this.cells, REASON) - 1];
  }

  set outage(reason: FaultReason | undefined) {
    Atomics.store(this.cells, REASON, reason === undefined ? 0 : REASONS.indexOf(reason) + 1);
  }

  /** Counts a request that was refused, if there is an outage. */
  refused({ isOutage }: Fault): void {
    if (isOutage || this.outage) Atomics.add(this.cells, REFUSED, 1);
  }

  /** Returns the number of refused requests and starts again. */
  takeRefused(): number {
    return Atomics.exchange(this.cells, REFUSED, 0);
  }
}
