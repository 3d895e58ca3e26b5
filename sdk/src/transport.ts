import { Call, Result } from './call.ts';
import { Download } from './download.ts';
import { ConnectionError, errorOf, NotFoundError, RosterError, TimeoutError } from './errors.ts';
import type { ChangeOptions, TransportOptions } from './options.ts';
import { queryOf, type Request } from './request.ts';
import { VERSION } from './version.ts';

const TIMEOUT_MS = 30_000;
const TOTAL_TIMEOUT_MS = 120_000;
const MAX_RETRIES = 4;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A longer timer fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Browsers set their own User-Agent. */
const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;

export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });

/** A variable of the environment; browsers have none. An empty one counts as absent. */
export const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] ||
  undefined;

const read = async (response: Response, wants: Request['wants']) => {
  if (response.status === 304) return undefined;
  if (!response.ok) throw errorOf(response, await response.text());
  if (wants === 'download') return new Download(response);
  const text = await response.text();
  try {
    const body = JSON.parse(text);
    return wants === 'json' ? body : body.data;
  } catch (cause) {
    const init = { code: 'INVALID_RESPONSE', status: response.status, cause };
    throw new RosterError('The response is not JSON of Roster. Check baseUrl.', init);
  }
};

/** Sends requests, and repeats them if that is safe. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** Every path of a request is below `root`. */
  constructor(options: TransportOptions, root: string, headers: Readonly<Record<string, string>> = {}) {
    this.#options = options;
    const baseUrl = options.baseUrl ?? environment('ROSTER_URL') ?? '';
    if (!/^https?:\/\//i.test(baseUrl)) {
      const found = baseUrl && `, not ${baseUrl}`;
      throw new TypeError(`baseUrl or ROSTER_URL must be a URL such as https://roster.example.com${found}.`);
    }
    this.#base = new URL(baseUrl).href.replace(/\/(?:v1\/?)?$/, '') + root;
    this.#headers = {
      ...headers,
      ...(!isBrowser && { 'user-agent': `roster-client/${VERSION}` }),
      ...options.headers,
    };
  }

  call<T>(request: Request, options?: ChangeOptions): Call<T> {
    return new Call(this.send<T>(request, options));
  }

  async send<T>(request: Request, options: ChangeOptions = {}): Promise<Result<T>> {
    const { method, json, raw, wants, safety = 'key' } = request;
    const isWrite = method !== 'GET' && method !== 'DELETE';
    const isKeyed = isWrite && safety === 'key';
    const headers: Record<string, string> = { ...this.#headers, ...request.headers, ...options.headers };
    if (json !== undefined) headers['content-type'] = 'application/json';
    if (raw) headers['content-type'] = raw.type;
    if (isKeyed) headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID();
    if (options.ifMatch) headers['if-match'] = options.ifMatch;
    const url = this.#base + request.path + queryOf(request.query);
    const body = json === undefined ? raw?.body : JSON.stringify(json);
    const isStream = body instanceof ReadableStream;
    const init = { method, headers, body: body ?? null, ...(isStream && { duplex: 'half' as const }) };

    const total = options.totalTimeoutMs ?? this.#options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS;
    const deadline = total > 0 ? Date.now() + total : Number.POSITIVE_INFINITY;
    const single = options.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
    // The first attempt consumes a stream.
    const maxRetries = isStream ? 0 : (options.maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES);
    let mayBeDone = false;
    for (let attempt = 0; ; attempt++) {
      const timeoutMs = Math.max(0, Math.min(single || Number.POSITIVE_INFINITY, deadline - Date.now()));
      try {
        return await this.#attempt(url, init, wants, timeoutMs, options.signal);
      } catch (error) {
        if (!(error instanceof RosterError)) throw error;
        const { status, retryAfter } = error;
        if (request.isDeletion && mayBeDone && error instanceof NotFoundError)
          return new Result({ status: 200, headers: new Headers() }, { deleted: true } as T);
        // A 5xx does not say whether the request was executed.
        const isUncertain = error instanceof ConnectionError || (status ?? 0) >= 500;
        mayBeDone ||= isUncertain;
        const isSafe =
          status === 429 ||
          (isUncertain && (!isWrite || safety !== 'none')) ||
          // Another attempt with the same key is still running.
          (isKeyed && status === 409 && retryAfter !== undefined);
        const delayMs =
          (retryAfter ?? 0) * 1000 + Math.random() * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt);
        if (!isSafe || attempt >= maxRetries || Date.now() + delayMs >= deadline) throw error;
        this.#options.onRetry?.({ attempt: attempt + 1, delayMs, method, url, error });
        await pause(delayMs, options.signal);
      }
    }
  }

  async #attempt<T>(
    url: string,
    init: RequestInit,
    wants: Request['wants'],
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Result<T>> {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stop = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    let isLate = false;
    const expire = () => {
      isLate = true;
      controller.abort();
    };
    const timer = timeoutMs <= LONGEST_TIMER_MS ? setTimeout(expire, timeoutMs) : undefined;
    try {
      const send = this.#options.fetch ?? fetch;
      const response = await send(url, { ...init, signal: controller.signal });
      return new Result(response, (await read(response, wants)) as T);
    } catch (error) {
      if (error instanceof RosterError) throw error;
      if (signal?.aborted) throw signal.reason;
      throw isLate
        ? new TimeoutError(`No complete response within ${timeoutMs} ms.`, { code: 'TIMEOUT', cause: error })
        : new ConnectionError('The connection failed.', { code: 'CONNECTION_ERROR', cause: error });
    } finally {
      clearTimeout(timer);
      // The signal also ends a download that is read later.
      if (wants !== 'download') signal?.removeEventListener('abort', stop);
    }
  }
}
