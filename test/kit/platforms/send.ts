import type { Reply, TestService } from '../service/test-service.ts';

const ATTEMPTS = 10;

/** Sends a platform's message. On a busy machine the database may not answer in time: after the 503 it is sent again. */
export const sendMessage = async (
  service: TestService,
  path: string,
  raw: string,
  headers: Readonly<Record<string, string | null>>,
  attempt = 1,
): Promise<Reply> => {
  const reply = await service.call('POST', path, undefined, {
    raw,
    headers: { authorization: null, ...headers },
  });
  if (reply.status !== 503 || attempt === ATTEMPTS) return reply;
  return sendMessage(service, path, raw, headers, attempt + 1);
};
