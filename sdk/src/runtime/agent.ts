import type { Result } from '../call.ts';
import { ConnectionError, NotFoundError, RosterError } from '../errors.ts';
import type { RequestOptions } from '../options.ts';
import type { Transport } from '../transport.ts';
import type { ChannelAgent } from './types.ts';

/** The channel's agent, or what is known of it. `rendered` is the text to speak with. */
export type AgentAnswer =
  | ({ readonly source: 'service' | 'cache' } & ChannelAgent)
  | {
      readonly source: 'fallback';
      readonly rendered: string;
      readonly contact: null;
      readonly config: Record<string, never>;
    };

/** Whether the service has not answered the question: it failed, is overloaded, or something in front of it responded. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof RosterError &&
  (error instanceof ConnectionError ||
    (error.status ?? 0) >= 500 ||
    error.status === 429 ||
    /^(?:HTTP_|INVALID_RESPONSE)/.test(error.code));

/** A withheld number: the response has the text for an unknown person. */
const WITHHELD = 'anonymous';

/** Keeps the text for an unknown person. Responses with a contact are not kept: they are personal data. */
export class AgentCache {
  readonly #transport: Transport;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fallback: string | undefined;
  #known: Result<ChannelAgent> | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(transport: Transport, headers: Readonly<Record<string, string>>, fallback: string | undefined) {
    this.#transport = transport;
    this.#headers = headers;
    this.#fallback = fallback;
  }

  async latest(options: RequestOptions): Promise<AgentAnswer> {
    if (this.#known) {
      this.#refreshSoon();
      return { source: 'cache', ...this.#known.data };
    }
    try {
      await this.#refresh(options);
    } catch (error) {
      return this.#lastKnown(error);
    }
    return { source: 'service', ...(this.#known as unknown as Result<ChannelAgent>).data };
  }

  async forNumber(number: string, options: RequestOptions): Promise<AgentAnswer> {
    try {
      const { data } = await this.#get(number, options);
      this.#refreshSoon();
      return { source: 'service', ...data };
    } catch (error) {
      return this.#lastKnown(error);
    }
  }

  #lastKnown(error: unknown): AgentAnswer {
    if (!isUnanswered(error)) {
      if (error instanceof NotFoundError) this.#known = undefined;
      throw error;
    }
    if (this.#known) return { source: 'cache', ...this.#known.data };
    if (this.#fallback === undefined) throw error;
    return { source: 'fallback', rendered: this.#fallback, contact: null, config: {} };
  }

  #get(number: string, options?: RequestOptions, etag?: string): Promise<Result<ChannelAgent>> {
    const headers = { ...this.#headers, ...(etag !== undefined && { 'if-none-match': etag }) };
    return this.#transport.send({ method: 'GET', path: '/agent', query: { number }, headers }, options);
  }

  /** One request at a time. The next caller learns of its error. */
  #refreshSoon(): void {
    if (this.#refreshing) return;
    this.#refreshing = this.#refresh()
      .catch(() => {})
      .finally(() => {
        this.#refreshing = undefined;
      });
  }

  async #refresh(options?: RequestOptions): Promise<void> {
    try {
      const found = await this.#get(WITHHELD, options, this.#known?.etag);
      if (found.status !== 304) this.#known = found;
    } catch (error) {
      // The service has answered: no agent is to speak.
      if (error instanceof RosterError && !isUnanswered(error)) this.#known = undefined;
      throw error;
    }
  }
}
