import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { request as httpRequest } from '../../lib/node-http.ts';
import { createHostResolver, type ResolveHost } from '../../lib/resolve-host.ts';
import { addressCheck, type CheckedAddresses } from './webhook.addresses.ts';
import { type ConnectionLimits, createConnections, pinnedTo } from './webhook.connections.ts';
import {
  describeBrokenResponse,
  describeError,
  describeTimeout,
  type WebhookPhase,
} from './webhook.failure.ts';
import { judgeResponse, MAX_READ_BYTES, ResponseStart, type WebhookResult } from './webhook.response.ts';
import { HOST_NOT_PUBLIC, hostOf, type WebhookRules, webhookUrlProblem } from './webhook.url.ts';

export interface WebhookRequest {
  readonly url: string;
  /** Only requests of one pool share connections. Use the id of the endpoint, so that a slow one occupies only its own. */
  readonly pool: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The time for everything, from DNS to the last byte of the response. Default: 15 seconds. */
  readonly timeoutMs?: number;
  /** How many bytes of the response are returned, at most 64 KB. Default: 1 KB. */
  readonly keepBytes?: number;
}

export interface WebhookSenderOptions extends ConnectionLimits {
  readonly rules: WebhookRules;
  readonly resolve?: ResolveHost;
  /** Certificate authorities in PEM format. Default: those of Node. */
  readonly ca?: string;
  /** Requests at the same time. Default: 256. */
  readonly maxInFlight?: number;
}

const DEFAULT_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Roster-Webhooks',
  // Responses are never decompressed.
  'accept-encoding': 'identity',
};

const MAX_HEADER_BYTES = 16_384;

const CLOSED = 'The webhook sender was closed.';

/** Interim responses (1xx) that are tolerated before the response. */
const MAX_INTERIM = 10;

/** The connection was closed while it was idle, so that the request was probably never read. */
const isStale = ({ reusedSocket }: ClientRequest, error: NodeJS.ErrnoException): boolean =>
  reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

/** Sends webhooks over HTTP, only to addresses that were checked. It ignores proxies of the environment. */
export class WebhookSender {
  readonly #rules: WebhookRules;
  readonly #addressesOf: ReturnType<typeof addressCheck>;
  readonly #connections: ReturnType<typeof createConnections>;
  readonly #ca: string | undefined;
  readonly #maxInFlight: number;
  readonly #inFlight = new Set<(error: Error) => void>();
  #isClosed = false;

  constructor({ rules, resolve, ca, maxInFlight = 256, ...limits }: WebhookSenderOptions) {
    this.#rules = rules;
    this.#addressesOf = addressCheck(resolve ?? createHostResolver(), rules);
    this.#connections = createConnections(limits, () => this.#inFlight.size);
    this.#ca = ca;
    this.#maxInFlight = maxInFlight;
  }

  /** How many more requests can be sent now. */
  get available(): number {
    return this.#maxInFlight - this.#inFlight.size;
  }

  /** The open connections that can be reused, now or later. */
  get connections(): number {
    return this.#connections.open();
  }

  /** Ends all connections. Requests that have not ended are rejected, because their outcome is unknown. */
  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#inFlight) cancel(new Error(CLOSED));
    this.#connections.close();
  }

  /** Sends one request. Every failure of the receiver is a result; the promise is rejected only if the sender is closed or too
   *  many requests are in flight. */
  send({ url, pool, headers, body, timeoutMs = 15_000, keepBytes }: WebhookRequest): Promise<WebhookResult> {
    if (this.#isClosed) return Promise.reject(new Error(CLOSED));
    if (this.available <= 0) return Promise.reject(new Error('Too many webhooks are in flight.'));
    const started = performance.now();
    const duration = () => Math.round(performance.now() - started);
    // The configuration may be stricter than when the endpoint was stored.
    const problem = webhookUrlProblem(url, this.#rules);
    const refused = { result: 'failed', status: null, response_body: '', duration_ms: 0 } as const;
    if (problem) return Promise.resolve({ ...refused, error: problem });

    const target = new URL(url);
    const host = hostOf(target);
    const isTls = target.protocol === 'https:';
    return new Promise((resolve, reject) => {
      let request: ClientRequest | undefined;
      let response: IncomingMessage | undefined;
      let isDone = false;
      const start = new ResponseStart(keepBytes);

      const stop = () => {
        isDone = true;
        clearTimeout(timer);
        this.#inFlight.delete(cancel);
        // Otherwise the connection is reused.
        if (!(response?.complete && request?.writableFinished)) request?.destroy();
      };
      const finish = (result: Omit<WebhookResult, 'response_body' | 'duration_ms'>) => {
        if (isDone) return;
        stop();
        resolve({ ...result, response_body: start.text(), duration_ms: duration() });
      };
      const fail = (error: string) =>
        finish({ result: 'failed', status: response?.statusCode ?? null, error });
      const cancel = (error: Error) => {
        stop();
        reject(error);
      };

      const phase = (): WebhookPhase => {
        if (response) return 'body';
        if (!request) return 'resolve';
        const socket = request.socket as TLSSocket | null;
        return !socket || socket.connecting || (isTls && !socket.getFinished()) ? 'connect' : 'answer';
      };
      const timer = setTimeout(() => fail(describeTimeout(phase(), timeoutMs)), timeoutMs);
      this.#inFlight.add(cancel);

      const failBy = (error?: unknown) =>
        fail(
          response?.statusCode === undefined
            ? describeError(error ?? { code: 'ECONNRESET' })
            : describeBrokenResponse(response.statusCode, error),
        );

      const read = (incoming: IncomingMessage) => {
        response = incoming;
        const done = () => finish(judgeResponse(incoming, Date.now()));
        incoming.on('data', (chunk: Buffer) => {
          start.add(chunk);
          if (start.received > MAX_READ_BYTES) done();
        });
        incoming.on('end', done);
        incoming.on('error', failBy);
      };

      const attempt = (checked: CheckedAddresses, isRetry = false) => {
        const sent = (isTls ? httpsRequest : httpRequest)({
          method: 'POST',
          host,
          port: target.port || (isTls ? 443 : 80),
          path: target.pathname + target.search,
          headers: { ...DEFAULT_HEADERS, ...headers, 'content-length': Buffer.byteLength(body) },
          insecureHTTPParser: false,
          maxHeaderSize: MAX_HEADER_BYTES,
          // The addresses are part of the pool: once they change, no connection to the old ones is reused.
          ...pinnedTo(checked.addresses, `${pool} ${target.protocol} ${host} ${target.port} ${checked.key}`),
          ca: this.#ca,
          rejectUnauthorized: true,
          // A retry opens a connection of its own.
          agent: isRetry ? false : this.#connections[isTls ? 'https' : 'http'],
        });
        request = sent;
        let interim = 0;
        sent.on('information', () => {
          if (++interim > MAX_INTERIM) fail('The receiver sent too many interim responses.');
        });
        sent.on('response', read);
        sent.on('error', (error) => {
          if (isDone) return;
          if (!response && !isRetry && isStale(sent, error)) attempt(checked, true);
          else failBy(error);
        });
        sent.on('close', () => {
          if (sent === request) failBy();
        });
        sent.end(body);
      };

      this.#addressesOf(host)
        .then((checked) => {
          if (isDone) return;
          if (checked.addresses.length === 0) fail(HOST_NOT_PUBLIC);
          else attempt(checked);
        })
        .catch(failBy);
    });
  }
}
