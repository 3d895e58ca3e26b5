import { pause, type Transport } from '../transport.ts';
import { webhooks } from '../webhooks.ts';
import { isUnanswered } from './agent.ts';
import type { CallEvent, RecordedCall } from './types.ts';

export interface ReportOptions {
  /** How many reports wait in memory while the service does not respond. Default: 10,000. */
  readonly maxReports?: number | undefined;
  /** How many bytes they may have together. Default: 16 MiB. */
  readonly maxReportBytes?: number | undefined;
  /** Called for a report that the service will not get: `overflow` (the oldest is dropped), `closed`, or an error, a
   *  `RosterError` if the service refused it. What the callback throws is ignored. */
  readonly onDrop?: ((event: CallEvent, reason: DropReason) => void) | undefined;
}

type DropReason = 'overflow' | 'closed' | Error;

interface Report {
  readonly event: CallEvent;
  readonly bytes: number;
  /** The same in all attempts. */
  readonly id: string;
  readonly at: number;
  readonly settle: (call: RecordedCall | undefined) => void;
}

const MAX_REPORTS = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;
const SENDERS = 4;
const TIMEOUT_MS = 10_000;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;
/** A report that waited this long says when it happened, because the service would take the time of its arrival. */
const LATE_MS = 1_000;
const FINAL: readonly unknown[] = ['completed', 'busy', 'no_answer', 'canceled', 'failed'];

const encoder = new TextEncoder();

/** The event as it is sent, with its time if it is late. */
const bodyOf = ({ event, at }: Report): string => {
  // The service derives the start of an event from its end.
  if (Date.now() - at < LATE_MS || event.ended_at) return JSON.stringify(event);
  const isEnd = event.type === 'call' && FINAL.includes(event.status);
  const name = isEnd ? 'ended_at' : 'started_at';
  return JSON.stringify({ ...event, [name]: event[name] ?? new Date(at).toISOString() });
};

/** Reports in memory until the service has them. The reports of one call are sent in their order, those of other calls do not
 *  wait for one that fails. */
export class ReportQueue {
  readonly #transport: Transport;
  readonly #secret: string;
  readonly #options: ReportOptions;
  /** Oldest first, with those that are being sent. */
  readonly #reports = new Set<Report>();
  /** Calls of which a report is being sent, or has failed since the queue was last walked. */
  readonly #sending = new Set<string>();
  readonly #failed = new Set<string>();
  readonly #ending = new AbortController();
  #bytes = 0;
  #senders = 0;
  #failures = 0;
  #idle: (() => void)[] = [];

  constructor(transport: Transport, secret: string, options: ReportOptions) {
    this.#transport = transport;
    this.#secret = secret;
    this.#options = options;
  }

  get size(): number {
    return this.#reports.size;
  }

  add(event: CallEvent): Promise<RecordedCall | undefined> {
    const { promise, settle } = settled();
    const bytes = encoder.encode(JSON.stringify(event)).length;
    const report = { event, bytes, id: `msg_${crypto.randomUUID()}`, at: Date.now(), settle };
    this.#reports.add(report);
    this.#bytes += bytes;
    if (this.#ending.signal.aborted) this.#remove(report, 'closed');
    else this.#limit();
    this.#start();
    return promise;
  }

  flush(): Promise<void> {
    return this.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  async close(timeoutMs: number): Promise<CallEvent[]> {
    const controller = new AbortController();
    await Promise.race([this.flush(), pause(timeoutMs, controller.signal).catch(() => {})]);
    controller.abort();
    const left = [...this.#reports];
    this.#ending.abort();
    for (const report of left) this.#remove(report, 'closed');
    return left.map(({ event }) => event);
  }

  #limit(): void {
    const { maxReports = MAX_REPORTS, maxReportBytes = MAX_BYTES } = this.#options;
    for (const report of this.#reports) {
      if (this.size <= maxReports && this.#bytes <= maxReportBytes) return;
      // One that is being sent may arrive.
      if (!this.#sending.has(report.event.provider_id)) this.#remove(report, 'overflow');
    }
  }

  #remove(report: Report, reason?: DropReason, call?: RecordedCall): void {
    if (!this.#reports.delete(report)) return;
    this.#bytes -= report.bytes;
    report.settle(call);
    if (reason) this.#tell(report.event, reason);
    if (this.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #tell(event: CallEvent, reason: DropReason): void {
    const tell = async () => this.#options.onDrop?.(event, reason);
    tell().catch(() => {});
  }

  #next(): Report | undefined {
    for (const report of this.#reports) {
      const call = report.event.provider_id;
      if (!this.#sending.has(call) && !this.#failed.has(call)) return report;
    }
    return undefined;
  }

  #start(): void {
    while (this.#senders < SENDERS) {
      if (this.#senders === 0) this.#failed.clear();
      const report = this.#next();
      if (!report) return;
      this.#senders++;
      void this.#send(report).finally(() => {
        this.#senders--;
        this.#start();
      });
    }
  }

  async #send(report: Report): Promise<void> {
    const call = report.event.provider_id;
    this.#sending.add(call);
    try {
      this.#remove(report, undefined, await this.#post(report));
      this.#failures = 0;
      return;
    } catch (error) {
      if (!isUnanswered(error)) return this.#remove(report, error as Error);
      this.#failed.add(call);
    } finally {
      this.#sending.delete(call);
    }
    const delay = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** this.#failures++);
    await pause(delay * (0.5 + Math.random() / 2), this.#ending.signal).catch(() => {});
  }

  async #post(report: Report): Promise<RecordedCall> {
    const body = bodyOf(report);
    const headers = await webhooks.sign(body, this.#secret, { id: report.id });
    const raw = { body, type: 'application/json' };
    const { data } = await this.#transport.send<RecordedCall>(
      { method: 'POST', path: '/events', raw, headers, safety: 'none' },
      { timeoutMs: TIMEOUT_MS, totalTimeoutMs: 0, maxRetries: 0, signal: this.#ending.signal },
    );
    return data;
  }
}

const settled = () => {
  let settle: Report['settle'] = () => {};
  const promise = new Promise<RecordedCall | undefined>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
};
