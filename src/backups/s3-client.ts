import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { backoff } from '../lib/concurrency.ts';
import type { S3Settings } from './config.ts';
import { BackupError } from './object-store.ts';

const ATTEMPTS = 5;
const FIRST_DELAY_MS = 500;
/** Enough for a part of 16 MiB over a slow connection. */
const TIMEOUT_MS = 600_000;

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Empty for a request about the bucket. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** An answer with an error status. */
export class S3Error extends BackupError {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The text of the first element with this name. The elements that we read contain no markup. */
export const elementText = (xml: string, name: string): string | undefined =>
  xml.split(`<${name}>`)[1]?.split('<')[0];

const withoutTrailingSlash = (text: string): string =>
  text.endsWith('/') ? withoutTrailingSlash(text.slice(0, -1)) : text;

/** AWS is addressed with the bucket as host name, unless a dot in it would not match the certificate. */
const baseUrl = ({ endpoint, region }: S3Settings, bucket: string): string => {
  if (endpoint !== undefined) return `${withoutTrailingSlash(endpoint)}/${bucket}`;
  const domain = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  return bucket.includes('.') ? `https://${domain}/${bucket}` : `https://${bucket}.${domain}`;
};

const CHECK_ACCESS =
  'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and the permissions of this key.';

/** Sends signed requests to a bucket. Retries network errors, timeouts, 429 and 5xx. */
export class S3Client {
  readonly bucket: string;
  readonly #region: string;
  readonly #base: string;
  readonly #client: AwsClient;

  constructor(bucket: string, settings: S3Settings) {
    this.bucket = bucket;
    this.#region = settings.region;
    this.#base = baseUrl(settings, bucket);
    this.#client = new AwsClient({ ...settings, service: 's3', retries: 0 });
  }

  /** Sends a request, and reads the whole response. */
  async text(request: S3Request): Promise<{ text: string; headers: Headers }> {
    return this.#attempt(async () => {
      const response = await this.#send(request, AbortSignal.timeout(TIMEOUT_MS));
      const text = await response.text();
      // The status is sent before the work is done, so an error can follow it.
      if (text.includes('<Error>')) throw this.#lateRefusal(text);
      return { text, headers: response.headers };
    });
  }

  /** Sends a request, and leaves the body to the caller. */
  stream(request: S3Request): Promise<Response> {
    return this.#attempt(() => this.#send(request));
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        // Errors of the store that a retry cannot change.
        if (error instanceof S3Error && !isTransient(error.code)) throw error;
        if (attempt === ATTEMPTS - 1) throw error instanceof S3Error ? error : this.#unreachable(error);
        await pause(backoff(FIRST_DELAY_MS, attempt));
      }
    }
  }

  /** Signs each attempt again, because a signature is valid for 15 minutes. The store compares the body with its signed
   *  SHA-256 and with its MD5. */
  async #send({ method, key = '', query = {}, body }: S3Request, signal?: AbortSignal) {
    const url = new URL(key ? `${this.#base}/${encodePath(key)}` : this.#base);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const response = await this.#client.fetch(url.href, {
      method,
      headers: {
        'x-amz-content-sha256': hash('sha256', body ?? ''),
        ...(body && { 'content-md5': hash('md5', body, 'base64') }),
      },
      redirect: 'manual',
      body: body as Uint8Array<ArrayBuffer>,
      signal: signal ?? null,
    });
    if (response.ok) return response;
    throw this.#refusal(response, await response.text());
  }

  #refusal({ status, headers }: Response, xml: string): S3Error {
    const code = elementText(xml, 'Code') ?? `${status}`;
    const region = headers.get('x-amz-bucket-region');
    const bucket = `the bucket ${this.bucket}`;
    if (region && region !== this.#region)
      return new S3Error(code, `The bucket ${this.bucket} is in the region ${region}. Set AWS_REGION to it.`);
    if (code === 'NoSuchBucket') return new S3Error(code, `The bucket ${this.bucket} does not exist.`);
    if (code === 'RequestTimeTooSkewed')
      return new S3Error(code, "The store rejects this machine's clock. Set the time.");
    if (status === 401 || status === 403)
      return new S3Error(code, `The store denied access to ${bucket} (${code}). ${CHECK_ACCESS}`);
    const detail = elementText(xml, 'Message');
    const isTemporary = status === 429 || status >= 500;
    const message = `The store of ${bucket} answered ${status} ${code}${detail ? `: ${detail}` : ''}.`;
    return new S3Error(isTemporary ? `${status}` : code, message);
  }

  /** An error after status 200. S3 asks to treat it like status 500, except that the upload is completed already. */
  #lateRefusal(xml: string): S3Error {
    const code = elementText(xml, 'Code') ?? 'InternalError';
    return new S3Error(
      code === 'NoSuchUpload' ? code : '500',
      `The store of the bucket ${this.bucket} could not finish a request: ${code}.`,
    );
  }

  #unreachable(error: unknown): BackupError {
    const { name, message, cause } = error as Error;
    const reason =
      name === 'TimeoutError' ? 'no answer' : (Object(cause).code ?? Object(cause).message ?? message);
    const { host } = new URL(this.#base);
    return new BackupError(
      `The store cannot be reached at ${host}: ${reason}. Check the network, AWS_ENDPOINT_URL_S3 and AWS_REGION.`,
      { cause: error },
    );
  }
}

const isTransient = (code: string): boolean =>
  /^(429|5\d\d)$/.test(code) || code === 'RequestTimeout' || code === 'SlowDown';
