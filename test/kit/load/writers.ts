import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Json, KEY } from '../service/test-service.ts';
import { AcknowledgedWrites, type ContactFields, type Entry } from './acknowledged-writes.ts';

export interface WriteResult {
  /** 0 if the connection ended without a response. */
  readonly status: number;
  readonly body: Json;
  /** When the response arrived, and how long it took. */
  readonly at: number;
  readonly ms: number;
  /** The Retry-After header. */
  readonly retryAfter?: string | undefined;
  /** Whether the server closed an idle connection at the moment when it was reused. */
  readonly wasStale?: boolean;
}

/** Sends requests on keep-alive connections. A broken connection gives a result with status 0. */
export const createClient = (url: () => string, key = KEY) => {
  const agent = new Agent({ keepAlive: true });
  return (method: string, path: string, body?: unknown): Promise<WriteResult> =>
    new Promise((resolve) => {
      const began = performance.now();
      const end = (status: number, body?: Json, more: Pick<WriteResult, 'wasStale' | 'retryAfter'> = {}) =>
        resolve({ status, body, at: performance.now(), ms: performance.now() - began, ...more });
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const sent = request(url() + path, { method, agent, headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        const retryAfter = response.headers['retry-after'];
        response.on('end', () => end(response.statusCode ?? 0, JSON.parse(text), { retryAfter }));
        response.on('error', () => end(0));
      });
      sent.on('error', ({ code }: NodeJS.ErrnoException) =>
        end(0, undefined, { wasStale: sent.reusedSocket && code === 'ECONNRESET' }),
      );
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
};

const MAX_CONTACTS = 80_000;
const AFTER_FAILURE_MS = 100;
const TIMEOUT_MS = 30_000;

export interface WritersOptions {
  readonly count: number;
  readonly random: () => number;
  /** Pause after each response. */
  readonly restMs?: number;
  /** Length of the notes. */
  readonly length?: number;
  /** The API key; by default that of the environment. */
  readonly key?: string;
  /** The position of the first phone number, so that several writers use different ones. */
  readonly first?: number;
}

/** Concurrent clients that create, change and delete contacts, each its own, and remember the acknowledged writes. They
 *  retry a write that was not acknowledged. */
export class Writers {
  readonly acknowledged = new AcknowledgedWrites();
  /** The results of all writes so far, in the order of the responses. */
  readonly results: WriteResult[] = [];
  /** Responses other than success, 503 and a broken connection. */
  readonly unexpected: string[] = [];
  readonly #request: ReturnType<typeof createClient>;
  readonly #options: Required<WritersOptions>;
  #running: Promise<unknown> = Promise.resolve();
  #stopped = true;
  #created = 0;

  constructor(url: () => string, options: WritersOptions) {
    this.#request = createClient(url, options.key);
    this.#options = { restMs: 0, length: 100, first: 0, key: KEY, ...options };
    this.#created = this.#options.first;
  }

  start(): void {
    this.#stopped = false;
    this.#running = Promise.all(Array.from({ length: this.#options.count }, (_, at) => this.#write(at)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** The results since a moment whose status matches. */
  since(moment: number, matches: (status: number) => boolean): WriteResult[] {
    return this.results.filter(({ at, status }) => at > moment && matches(status));
  }

  /** The number of writes that were sent after a moment and have succeeded by now. */
  successesSince(moment: number): number {
    return this.since(moment, isSuccess).filter(({ at, ms }) => at - ms > moment).length;
  }

  /** Waits for the first matching response after a moment and returns the time between, in milliseconds. */
  async until(matches: (status: number) => boolean, moment = performance.now()): Promise<number> {
    while (performance.now() < moment + TIMEOUT_MS) {
      const [first] = this.since(moment, matches);
      if (first) return first.at - moment;
      await pause(5);
    }
    throw new Error(`no such response within ${TIMEOUT_MS} ms`);
  }

  async #write(writer: number): Promise<void> {
    const own: Entry[] = [];
    while (!this.#stopped) {
      const entry = this.#choose(own, writer);
      const isDeleted = (await this.#send(entry)) && entry.acknowledged === null;
      if (isDeleted) own.splice(own.indexOf(entry), 1);
      await pause(entry.pending === undefined ? this.#options.restMs : AFTER_FAILURE_MS);
    }
  }

  /** Chooses the next write: a pending one, or else a new contact, a change or a delete. */
  #choose(own: Entry[], writer: number): Entry {
    const { random, length } = this.#options;
    const retry = own.find(({ pending }) => pending !== undefined);
    if (retry) return retry;
    const one = own[Math.floor(random() * own.length)];
    const dice = random();
    if (one?.acknowledged && dice < 0.15) return Object.assign(one, { pending: null });
    const notes = `${writer} ${this.results.length} ${'x'.repeat(length)}`.slice(0, 2_000);
    if (one?.acknowledged && (dice < 0.5 || this.#created === MAX_CONTACTS)) {
      const tags = [`tag ${Math.floor(dice * 10)}`, 'changed'];
      return Object.assign(one, { pending: { ...one.acknowledged, notes, tags } });
    }
    const at = this.#created++;
    const phone_number = `+1${200 + Math.floor(at / 100)}5550${100 + (at % 100)}`;
    const pending: ContactFields = {
      phone_number,
      first_name: `Writer ${writer}`,
      notes,
      tags: [`tag ${at % 5}`],
    };
    const entry: Entry = { id: undefined, acknowledged: null, pending, isRetry: false };
    this.acknowledged.entries.set(phone_number, entry);
    own.push(entry);
    return entry;
  }

  /** Sends the pending write of a contact and returns whether it was acknowledged. */
  async #send(entry: Entry): Promise<boolean> {
    const { id, acknowledged, pending } = entry;
    const path = acknowledged ? `/v1/contacts/${id}` : '/v1/contacts';
    const method = acknowledged === null ? 'POST' : pending === null ? 'DELETE' : 'PATCH';
    const result = await this.#request(method, path, pending ?? undefined);
    this.results.push(result);
    const { status, body } = result;
    // After an attempt without a response, a conflict with the writer's own contact means that the write was stored.
    const wasStored = entry.isRetry && status === (method === 'POST' ? 409 : method === 'DELETE' ? 404 : 200);
    const isAcknowledged = isSuccess(status) || wasStored;
    if (isAcknowledged) {
      const found = body.data?.id ?? body.error?.details?.existing_contact_id ?? id;
      Object.assign(entry, { id: found, acknowledged: pending, pending: undefined });
    } else if (status !== 0 && status !== 503) this.unexpected.push(`${method} ${status}`);
    entry.isRetry = !isAcknowledged;
    return isAcknowledged;
  }
}

export const isSuccess = (status: number): boolean => status === 200 || status === 201;
export const isUnavailable = (status: number): boolean => status === 503;
