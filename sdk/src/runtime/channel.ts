import type { RequestOptions, TransportOptions } from '../options.ts';
import { at } from '../request.ts';
import { Transport } from '../transport.ts';
import { secretBytes } from '../webhooks.ts';
import { type AgentAnswer, AgentCache } from './agent.ts';
import { type ReportOptions, ReportQueue } from './reports.ts';
import type { CallEvent, RecordedCall, Session, SessionInput } from './types.ts';

export interface ChannelOptions extends TransportOptions, ReportOptions {
  /** The id of the channel, `channel_…`. */
  readonly id: string;
  /** The secret of the channel, `whsec_…`. It reads contacts by their numbers: keep it on the server. */
  readonly secret: string;
  /** What `agent` answers while the service does not respond, if it never did: the instructions to speak with. */
  readonly fallback?: string | undefined;
}

/** A person waits while these requests run, so they give up early. */
const TIMEOUT_MS = 2_000;
const TOTAL_TIMEOUT_MS = 5_000;

/** One channel, for the program that speaks on it. It has the channel's secret and needs no API key. */
export class Channel {
  readonly #transport: Transport;
  readonly #bearer: Readonly<Record<string, string>>;
  readonly #agents: AgentCache;
  readonly #reports: ReportQueue;

  constructor({ id, secret, fallback, ...options }: ChannelOptions) {
    if (!secret?.startsWith('whsec_'))
      throw new TypeError("secret must be the channel's, which begins with whsec_.");
    secretBytes(secret);
    const { timeoutMs = TIMEOUT_MS, totalTimeoutMs = TOTAL_TIMEOUT_MS } = options;
    const transport = new Transport({ ...options, timeoutMs, totalTimeoutMs }, at`/hooks/channels/${id}`);
    this.#transport = transport;
    this.#bearer = { authorization: `Bearer ${secret}` };
    this.#agents = new AgentCache(transport, this.#bearer, fallback);
    this.#reports = new ReportQueue(transport, secret, options);
  }

  /** Starts a conversation: who calls, and what the deployed version says to this person. The same `provider_id` again returns
   *  the same session, so this is repeated after a lost response. If the service has lost its database, the session is
   *  `degraded`. Rejects with a `RosterError` only if no attempt got an answer, or the channel has no agent. */
  async session(input: SessionInput, options?: RequestOptions): Promise<Session> {
    const request = { method: 'POST', path: '/sessions', json: input, headers: this.#bearer } as const;
    return (await this.#transport.send<Session>({ ...request, safety: 'harmless' }, options)).data;
  }

  /** The deployed version, without a session. With a number the service is asked, and the answer has the contact. Without one,
   *  the answer is immediately the last one that is known, while the next one is requested. If the service does not respond,
   *  it is the last known one without a contact, or the `fallback`; `source` says which. */
  agent({
    number,
    ...options
  }: { readonly number?: string | undefined } & RequestOptions = {}): Promise<AgentAnswer> {
    return number === undefined ? this.#agents.latest(options) : this.#agents.forNumber(number, options);
  }

  /** Reports a call or message. It is signed, and sent until the service has it; reports of one call arrive in their order. The
   *  promise never rejects: it has the recorded call, or undefined if the report was dropped, which `onDrop` is told, too. */
  report(event: CallEvent): Promise<RecordedCall | undefined> {
    return this.#reports.add(event);
  }

  /** How many reports the service does not have yet. */
  get pending(): number {
    return this.#reports.size;
  }

  /** Waits until every report is sent or dropped. */
  flush(): Promise<void> {
    return this.#reports.flush();
  }

  /** Waits for the reports for up to `timeoutMs` (10,000 by default), then returns and drops those that the service does not
   *  have. Later ones are dropped immediately. */
  close({ timeoutMs = 10_000 }: { readonly timeoutMs?: number } = {}): Promise<CallEvent[]> {
    return this.#reports.close(timeoutMs);
  }
}
