import { createHmac } from 'node:crypto';
import type { Json, Reply, TestService } from '../service/test-service.ts';

export interface TestChannel {
  readonly id: string;
  readonly secret: string;
}

/** Requests the active agent of a channel as a runtime does. */
export const getAgentFromHook = (
  service: TestService,
  { id, secret }: TestChannel,
  headers: Record<string, string> = {},
): Promise<Reply> => service.get(`/hooks/channels/${id}/agent`, { key: secret, headers });

/** Twilio's signature, implemented from its documentation and independent of the service. */
export const twilioSignature = (token: string, url: string, fields: Record<string, string>): string => {
  const text = Object.keys(fields)
    .sort()
    .map((name) => name + fields[name])
    .join('');
  return createHmac('sha1', token)
    .update(url + text)
    .digest('base64');
};

export const twilioCallback = (
  service: TestService,
  { id, secret }: TestChannel,
  fields: Record<string, string>,
  signature?: string,
): Promise<Reply> => {
  const path = `/hooks/channels/${id}/events`;
  return service.call('POST', path, undefined, {
    raw: new URLSearchParams(fields).toString(),
    headers: {
      authorization: null,
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signature ?? twilioSignature(secret, service.url + path, fields),
    },
  });
};

/** The signature headers of Standard Webhooks. */
export const standardSignature = (secret: string, body: string | Uint8Array, at = Date.now()) => {
  const [id, timestamp] = ['msg_1', String(Math.floor(at / 1000))];
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};

/** Sends an event with the signature of Standard Webhooks. */
export const sendEvent = (
  service: TestService,
  { id, secret }: TestChannel,
  event: Json,
  at = Date.now(),
): Promise<Reply> => {
  const body = JSON.stringify(event);
  return service.call('POST', `/hooks/channels/${id}/events`, undefined, {
    raw: body,
    headers: { authorization: null, ...standardSignature(secret, body, at) },
  });
};

/** Starts a session as a runtime does. */
export const startSession = (
  service: TestService,
  { id, secret }: TestChannel,
  body: unknown,
): Promise<Reply> => service.post(`/hooks/channels/${id}/sessions`, body, { key: secret });
