import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '../../kit/service/test-service.ts';

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** Sends requests over keep-alive connections and adds only a content length. A request that the service sheds is
 *  retried. */
export interface Client {
  send(sent: RawRequest): Promise<Reply>;
  /** The number of requests that were shed. */
  readonly shed: number;
  close(): void;
}

const TRIES = 40;
const PAUSE_MS = 100;
const isShed = ({ status, headers }: Reply) => status === 503 && headers.has('retry-after');

const replyOf = (status: number, headers: Headers, text: string): Reply => {
  const isJson = /^application\/json(;|$)/.test(headers.get('content-type') ?? '') && text !== '';
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
};

export const clientOf = (url: string, connections = 1, tries = TRIES): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);
  let turnedAway = 0;
  const sendOnce = ({ method, path, headers, body }: RawRequest): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` };
      const call = request({ agent, hostname, port, method, path, headers: { ...length, ...headers } });
      call.once('error', reject);
      call.once('response', (response) => {
        const { statusCode = 0, headersDistinct } = response;
        const pairs = Object.entries(headersDistinct).map(([name, values]) => [name, `${values}`]);
        const given = new Headers(pairs as [string, string][]);
        const chunks: Buffer[] = [];
        const done = () => resolve(replyOf(statusCode, given, Buffer.concat(chunks).toString('utf8')));
        response
          .on('data', (chunk) => chunks.push(chunk))
          .once('end', done)
          .once('error', reject);
        // An event stream may never end.
        if (given.get('content-type')?.startsWith('text/event-stream')) {
          done();
          call.destroy();
        }
      });
      call.end(body);
    });
  return {
    send: async (sent) => {
      let reply = await sendOnce(sent);
      for (let again = 1; again < tries && isShed(reply); again++) {
        turnedAway++;
        await sleep(PAUSE_MS);
        reply = await sendOnce(sent);
      }
      return reply;
    },
    get shed() {
      return turnedAway;
    },
    close: () => agent.destroy(),
  };
};
