import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Requests that a separate process sends in turn. */
export interface Load {
  readonly url: string;
  readonly requests: readonly string[];
  readonly connections: number;
  /** The load ends after this time, but not before the first response: on a busy machine that can take longer. */
  readonly seconds: number;
  /** Requests per second, independent of the responses. Without it, each connection sends its next request after a
   *  response. */
  readonly rate?: number;
}

export interface LoadResult {
  /** The number of responses by status. */
  readonly responses: Readonly<Record<string, number>>;
  /** Successful responses per second, without the first second. */
  readonly goodput: number;
  /** Requests for which no connection was free. */
  readonly unsent: number;
  /** Connections that ended before their response. */
  readonly broken: number;
  /** Latency of successful responses and of responses with 503, in milliseconds. */
  readonly p99: { readonly good: number; readonly shed: number };
}

/** Sends a load to a service and returns the results. */
export const runLoad = async (load: Load): Promise<LoadResult> => {
  const child = fork(fileURLToPath(new URL('./load.process.ts', import.meta.url)), { serialization: 'json' });
  child.send(load);
  try {
    const [result] = await once(child, 'message');
    return result as LoadResult;
  } finally {
    child.kill();
  }
};

/** The text of a request, with or without a JSON body. */
export const requestText = (method: string, path: string, key: string, body?: unknown): string => {
  const text = body === undefined ? '' : JSON.stringify(body);
  const content = text && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: roster.test\r\nauthorization: Bearer ${key}\r\n${content}\r\n${text}`;
};

export const countSuccessful = ({ responses }: LoadResult): number =>
  Object.entries(responses).reduce((sum, [status, count]) => sum + (status < '300' ? count : 0), 0);
