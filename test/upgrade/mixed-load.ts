import { Agent, request } from 'node:http';
import type { Json } from '../kit/service/test-service.ts';
import { FIXTURE_ENVIRONMENT } from './client.ts';

export interface MixedLoadResult {
  readonly requests: number;
  readonly failures: readonly string[];
  /** The ids of all contacts that must exist. */
  readonly contacts: readonly string[];
}

/** Writes and reads contacts and agents without a pause. Half of the clients reuse connections; the others open one for each
 *  request. Every response other than success is a failure. */
export const startMixedLoad = (url: string, clients: number): { stop(): Promise<MixedLoadResult> } => {
  let isRunning = true;
  let requests = 0;
  const failures: string[] = [];
  const contacts = new Set<string>();

  const send = (agent: Agent, method: string, path: string, body?: object): Promise<Json> =>
    new Promise((resolve) => {
      requests++;
      const fail = (reason: string) => {
        failures.push(`${method} ${path}: ${reason}`);
        resolve(undefined);
      };
      const headers = {
        authorization: `Bearer ${FIXTURE_ENVIRONMENT.ROSTER_API_KEY}`,
        'content-type': 'application/json',
      };
      request(url + path, { method, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', (error) => fail(String(error)));
        response.on('end', () => {
          const isSuccess = response.statusCode !== undefined && response.statusCode < 300;
          if (isSuccess) resolve(JSON.parse(text).data);
          else fail(`${response.statusCode} ${text}`);
        });
      })
        .on('error', (error: Error & { code?: string }) => fail(`${error.code} ${error.message}`))
        .end(body && JSON.stringify(body));
    });

  const run = async (number: number) => {
    const agent = new Agent({ keepAlive: number % 2 === 0, maxSockets: 1 });
    const assistant = await send(agent, 'POST', '/v1/agents', {
      name: `Agent ${number}`,
      instructions: 'One',
    });
    for (let round = 0; isRunning; round++) {
      // Numbers are used again after 100 rounds, so most contacts are deleted.
      const isDeleted = round >= 100 || round % 10 > 0;
      const phone_number = `+1${(isDeleted ? 300 : 500) + number}55501${String(round % 100).padStart(2, '0')}`;
      const contact = await send(agent, 'POST', '/v1/contacts', {
        phone_number,
        tags: ['load', `c${number}`],
      });
      if (!contact) continue;
      contacts.add(contact.id);
      await send(agent, 'GET', `/v1/contacts/${contact.id}`);
      await send(agent, 'PATCH', `/v1/contacts/${contact.id}`, { first_name: `Round ${round}` });
      await send(agent, 'GET', `/v1/contacts?tag=c${number}&limit=5`);
      await send(agent, 'GET', `/v1/contacts?search=${phone_number.slice(-7)}`);
      if (round % 10 === 0)
        await send(agent, 'PATCH', `/v1/agents/${assistant?.id}`, { instructions: `Version ${round}` });
      if (isDeleted) {
        await send(agent, 'DELETE', `/v1/contacts/${contact.id}`);
        contacts.delete(contact.id);
      }
    }
    agent.destroy();
  };
  const runs = Array.from({ length: clients }, (_, number) => run(number));
  return {
    stop: async () => {
      isRunning = false;
      await Promise.all(runs);
      return { requests, failures, contacts: [...contacts] };
    },
  };
};
