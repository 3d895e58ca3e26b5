import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Json, KEY } from '../service/test-service.ts';
import { type Entry, type Facts, Ledger } from './acknowledged-writes.ts';

export interface Answered {
  /** 0 where the connection ended without an answer. */
  readonly status: number;
  readonly body: Json;
  /** When it was answered, and how long that took. */
  readonly at: number;
  readonly ms: number;
  /** Whether the connection ended as it was used again: whoever lets it rest may end it at that very moment. */
  readonly wasStale?: boolean;
}

/** Asks on connections that are kept; a connection that breaks is an answer, too. */
export const asker = (url: () => string) => {
  const agent = new Agent({ keepAlive: true });
  return (method: string, path: string, body?: unknown): Promise<Answered> =>
    new Promise((resolve) => {
      const began = performance.now();
      const end = (status: number, body?: Json, wasStale = false) =>
        resolve({ status, body, at: performance.now(), ms: performance.now() - began, wasStale });
      const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
      const sent = request(url() + path, { method, agent, headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => end(response.statusCode ?? 0, JSON.parse(text)));
        response.on('error', () => end(0));
      });
      sent.on('error', ({ code }: NodeJS.ErrnoException) =>
        end(0, undefined, sent.reusedSocket && code === 'ECONNRESET'),
      );
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
};

const MAX_CONTACTS = 80_000;
const AFTER_FAILURE_MS = 100;
const PATIENCE_MS = 30_000;

export interface WritersOptions {
  readonly count: number;
  readonly random: () => number;
  /** How long each rests after an answer. */
  readonly restMs?: number;
  /** How long the notes are. */
  readonly length?: number;
}

/** People who create, change and delete contacts all at once, each their own, and remember what they were promised. What
 *  got no good answer they ask for again, as a client does. */
export class Writers {
  readonly ledger = new Ledger();
  /** Of every write so far, in the order of the answers. */
  readonly answers: Answered[] = [];
  /** Answers that nothing explains. */
  readonly surprises: string[] = [];
  readonly #ask: ReturnType<typeof asker>;
  readonly #options: Required<WritersOptions>;
  #running: Promise<unknown> = Promise.resolve();
  #stopped = true;
  #made = 0;

  constructor(url: () => string, options: WritersOptions) {
    this.#ask = asker(url);
    this.#options = { restMs: 0, length: 100, ...options };
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

  /** The answers with some status since a moment. */
  since(moment: number, isMeant: (status: number) => boolean): Answered[] {
    return this.answers.filter(({ at, status }) => at > moment && isMeant(status));
  }

  /** How many writes that were sent after a moment are answered well by now. */
  goodSince(moment: number): number {
    return this.since(moment, isGood).filter(({ at, ms }) => at - ms > moment).length;
  }

  /** Waits for the first such answer after a moment, and says how long after. */
  async until(isMeant: (status: number) => boolean, moment = performance.now()): Promise<number> {
    while (performance.now() < moment + PATIENCE_MS) {
      const [first] = this.since(moment, isMeant);
      if (first) return first.at - moment;
      await pause(5);
    }
    throw new Error(`no such answer within ${PATIENCE_MS} ms`);
  }

  async #write(writer: number): Promise<void> {
    const own: Entry[] = [];
    while (!this.#stopped) {
      const entry = this.#choose(own, writer);
      const isGone = (await this.#send(entry)) && entry.promised === null;
      if (isGone) own.splice(own.indexOf(entry), 1);
      await pause(entry.asked === undefined ? this.#options.restMs : AFTER_FAILURE_MS);
    }
  }

  /** What to do next: something that is still open, or else a new contact, a change or a delete. */
  #choose(own: Entry[], writer: number): Entry {
    const { random, length } = this.#options;
    const open = own.find(({ asked }) => asked !== undefined);
    if (open) return open;
    const one = own[Math.floor(random() * own.length)];
    const dice = random();
    if (one?.promised && dice < 0.15) return Object.assign(one, { asked: null });
    const notes = `${writer} ${this.answers.length} ${'x'.repeat(length)}`.slice(0, 2_000);
    if (one?.promised && (dice < 0.5 || this.#made === MAX_CONTACTS)) {
      const tags = [`tag ${Math.floor(dice * 10)}`, 'changed'];
      return Object.assign(one, { asked: { ...one.promised, notes, tags } });
    }
    const at = this.#made++;
    const phone_number = `+1${200 + Math.floor(at / 100)}5550${100 + (at % 100)}`;
    const asked: Facts = { phone_number, first_name: `Writer ${writer}`, notes, tags: [`tag ${at % 5}`] };
    const entry: Entry = { id: undefined, promised: null, asked, isAgain: false };
    this.ledger.entries.set(phone_number, entry);
    own.push(entry);
    return entry;
  }

  /** Asks for what is open of a contact; says whether it was promised. */
  async #send(entry: Entry): Promise<boolean> {
    const { id, promised, asked } = entry;
    const path = promised ? `/v1/contacts/${id}` : '/v1/contacts';
    const method = promised === null ? 'POST' : asked === null ? 'DELETE' : 'PATCH';
    const answered = await this.#ask(method, path, asked ?? undefined);
    this.answers.push(answered);
    const { status, body } = answered;
    // After a try without an answer, the conflict with oneself says that it was kept.
    const isKept = entry.isAgain && status === (method === 'POST' ? 409 : method === 'DELETE' ? 404 : 200);
    const isDone = isGood(status) || isKept;
    if (isDone) {
      const found = body.data?.id ?? body.error?.details?.existing_contact_id ?? id;
      Object.assign(entry, { id: found, promised: asked, asked: undefined });
    } else if (status !== 0 && status !== 503) this.surprises.push(`${method} ${status}`);
    entry.isAgain = !isDone;
    return isDone;
  }
}

export const isGood = (status: number): boolean => status === 200 || status === 201;
export const isRefused = (status: number): boolean => status === 503;
