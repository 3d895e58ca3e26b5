import { request as requestHttps } from 'node:https';
import { request as requestHttp } from '../lib/node-http.ts';
import { CONNECTION_PROBLEMS, parseBody } from './client.ts';
import type { Command, ParsedArgs } from './command.ts';
import { serviceUrl } from './link.ts';

const TIMEOUT_MS = 5_000;

export const get = (url: string): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const { request, options } = url.startsWith('https:')
      ? // The certificate names the public host, not the loopback address.
        { request: requestHttps, options: { rejectUnauthorized: false } }
      : { request: requestHttp, options: {} };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    request(url, { ...options, signal, agent: false }, async (response) => {
      try {
        let body = '';
        for await (const chunk of response) body += chunk;
        resolve({ status: response.statusCode ?? 0, body });
      } catch (error) {
        reject(error);
      }
    })
      .on('error', reject)
      .end();
  });

/** Asks the service of this configuration whether it is ready. The status is undefined if no response arrived; `isForeign`
 *  means that a program accepts connections that is not Roster, or does not answer. */
export const checkHealth = async () => {
  const url = `${serviceUrl()}/readyz`;
  try {
    const { status, body } = await get(url);
    // A status, or an error with a message.
    const answer = Object(parseBody(body));
    const ready = status === 200 && answer.status === 'ok';
    const problem: string | undefined = answer.error?.message;
    const isForeign = !ready && problem === undefined;
    const message = ready
      ? 'The service is ready.'
      : (problem ?? `Another program answers on this port, with status ${status}.`);
    return { ready, url, status, isForeign, message };
  } catch (error) {
    const { code = '', name } = error as NodeJS.ErrnoException;
    const reason =
      name === 'AbortError'
        ? `no response in ${TIMEOUT_MS / 1000} seconds`
        : (CONNECTION_PROBLEMS[code] ?? code);
    const message = `The service does not answer: ${reason}.`;
    return { ready: false, url, status: undefined, isForeign: code !== 'ECONNREFUSED', message };
  }
};

const health = async ({ print }: ParsedArgs): Promise<void> => {
  const { isForeign: _, ...shown } = await checkHealth();
  if (!shown.ready) process.exitCode = 1;
  print(shown, `${shown.message} (${shown.url})`);
};

export const healthCommand: Command = {
  forms: {
    'roster health [--json]': [
      'Asks the service on this machine whether it is ready, at HOST and PORT. Exits with status 1 if it is not.',
      health,
    ],
  },
};
