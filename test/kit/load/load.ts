import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What a load sends: requests as bytes, in turn, from a process of its own. */
export interface Load {
  readonly url: string;
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** How many leave in a second, whether or not those before them were answered; without it, each connection sends its
   *  next one when it has an answer. */
  readonly rate?: number;
}

export interface LoadResult {
  /** The answers by their status. */
  readonly answers: Readonly<Record<string, number>>;
  /** Good answers in a second, without those of the first one. */
  readonly goodput: number;
  /** Requests for which no connection was free. */
  readonly unsent: number;
  /** Connections that ended before their answer. */
  readonly broken: number;
  /** In ms, of good answers and of those with 503. */
  readonly p99: { readonly good: number; readonly shed: number };
}

/** Puts a load on a service and tells how it was answered. */
export const putLoad = async (load: Load): Promise<LoadResult> => {
  const child = fork(fileURLToPath(new URL('./load.process.ts', import.meta.url)), { serialization: 'json' });
  child.send(load);
  try {
    const [result] = await once(child, 'message');
    return result as LoadResult;
  } finally {
    child.kill();
  }
};

/** The bytes of a request without a body, or with one of JSON. */
export const bytesOf = (method: string, path: string, key: string, body?: unknown): string => {
  const text = body === undefined ? '' : JSON.stringify(body);
  const content = text && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: roster.test\r\nauthorization: Bearer ${key}\r\n${content}\r\n${text}`;
};

export const goodOf = ({ answers }: LoadResult): number =>
  Object.entries(answers).reduce((sum, [status, count]) => sum + (status < '300' ? count : 0), 0);
