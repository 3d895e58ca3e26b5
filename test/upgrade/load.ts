import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../kit/service/test-service.ts';
import { clientWithKey } from './client.ts';

export interface LoadResult {
  /** Requests that succeeded. */
  readonly answered: number;
  /** Requests that received 503, with an invitation to retry. */
  readonly unavailable: number;
  readonly failures: readonly string[];
}

export interface Load {
  /** Resolves after this many more successful responses, or after a failure. */
  untilAnswered(count: number): Promise<void>;
  stop(): Promise<LoadResult>;
}

export interface LoadOptions {
  readonly readKey?: string;
  /** The key of a workspace whose contacts may come and go. */
  readonly writeKey: string;
  readonly clients?: number;
  /** Whether a refused connection is a failure. */
  readonly isRefusalAllowed: () => boolean;
}

/** Reads, creates and deletes contacts until it is stopped. What it has created, it deletes. */
export const startLoad = (
  url: string,
  { readKey, writeKey, clients = 4, isRefusalAllowed }: LoadOptions,
): Load => {
  let isRunning = true;
  let [answered, unavailable] = [0, 0];
  const failures: string[] = [];
  const reader = clientWithKey(url, readKey);
  const writer = clientWithKey(url, writeKey);

  const send = async (client: typeof reader, method: string, path: string, body?: object): Promise<Json> => {
    for (;;) {
      const reply = await client
        .call(method, path, body, { headers: { connection: 'close' } })
        .catch((error) => error as Error);
      if (reply instanceof Error) {
        const { code } = (reply.cause ?? reply) as { code?: string };
        if (code !== 'ECONNREFUSED' || !isRefusalAllowed())
          failures.push(`${method} ${path}: ${code} ${reply}`);
        if (!isRunning) return undefined;
        await pause(10);
        continue;
      }
      if (reply.status < 300) {
        answered++;
        return reply.body.data;
      }
      if (reply.status !== 503) {
        failures.push(`${method} ${path}: ${reply.status} ${reply.text}`);
        return undefined;
      }
      unavailable++;
      await pause(50);
    }
  };

  const run = async (number: number) => {
    for (let round = 0; isRunning; round++) {
      await send(reader, 'GET', '/v1/contacts?limit=5');
      const phone_number = `+1${300 + number}55501${String(round % 100).padStart(2, '0')}`;
      const contact = await send(writer, 'POST', '/v1/contacts', { phone_number, tags: ['load'] });
      if (!contact) continue;
      await send(writer, 'GET', `/v1/contacts/${contact.id}`);
      await send(writer, 'DELETE', `/v1/contacts/${contact.id}`);
    }
  };
  const runs = Array.from({ length: clients }, (_, number) => run(number));
  return {
    untilAnswered: async (count) => {
      for (const before = answered; answered < before + count && failures.length === 0; ) await pause(10);
    },
    stop: async () => {
      isRunning = false;
      await Promise.all(runs);
      return { answered, unavailable, failures };
    },
  };
};
