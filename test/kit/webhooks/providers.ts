import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { newPhone } from '../fixtures/factories.ts';
import type { Json, Reply, TestService } from '../service/test-service.ts';
import type { TestChannel } from './channel-hooks.ts';

interface Delivery {
  /** Replaces the channel's secret or token. */
  readonly secret?: string;
  /** The body to send, if it differs from the signed one. */
  readonly sent?: string | Uint8Array;
  /** Added to the headers; null removes one. */
  readonly headers?: Record<string, string | null>;
  readonly query?: string;
}

const pathOf = ({ id }: Pick<TestChannel, 'id'>, query = '') => `/hooks/channels/${id}/events${query}`;

/** An event for an inbound call. */
export const newCallEvent = (fields: Json = {}): Json => ({
  type: 'call',
  provider_id: `call-${randomBytes(8).toString('hex')}`,
  direction: 'inbound',
  number: newPhone(),
  ...fields,
});

/** Sends an event or any text, signed by the Standard Webhooks library. */
export const deliverEvent = (
  service: TestService,
  channel: TestChannel,
  event: Json,
  { secret = channel.secret, sent, headers, query, at = new Date() }: Delivery & { at?: Date } = {},
): Promise<Reply> => {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const id = `msg_${randomBytes(8).toString('hex')}`;
  return service.call('POST', pathOf(channel, query), undefined, {
    raw: sent ?? body,
    headers: {
      authorization: null,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
      ...headers,
    },
  });
};

export type TwilioFields = Record<string, string | string[]>;

const encodeForm = (fields: TwilioFields): string => {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of [value].flat()) form.append(name, each);
  }
  return form.toString();
};

/** Sends a form, signed by the Twilio library for the called URL or for `url`. */
export const deliverTwilio = (
  service: TestService,
  channel: TestChannel,
  fields: TwilioFields,
  { secret = channel.secret, sent, headers, query, url }: Delivery & { url?: string } = {},
): Promise<Reply> => {
  const path = pathOf(channel, query);
  return service.call('POST', path, undefined, {
    raw: sent ?? encodeForm(fields),
    headers: {
      authorization: null,
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-twilio-signature': getExpectedTwilioSignature(secret, url ?? service.url + path, fields),
      'user-agent': 'TwilioProxy/1.1',
      ...headers,
    },
  });
};

const newSid = (prefix: string) => prefix + randomBytes(16).toString('hex');

const parties = (from: string, to: string) => ({
  AccountSid: `AC${'0'.repeat(32)}`,
  ApiVersion: '2010-04-01',
  From: from,
  FromCity: 'SAN FRANCISCO',
  FromState: 'CA',
  FromZip: '94105',
  FromCountry: 'US',
  To: to,
  ToCity: '',
  ToState: 'CA',
  ToZip: '',
  ToCountry: 'US',
});

/** The fields that Twilio sends for an inbound call. */
export const voiceFields = (fields: TwilioFields = {}): TwilioFields => {
  const { From: from = newPhone(), To: to = '+14155550199' } = fields as Record<string, string>;
  return {
    ...parties(from, to),
    CallSid: newSid('CA'),
    CallStatus: 'ringing',
    CallToken: '{"parentCallInfoToken":"eyJhbGciOiJFUzI1NiJ9.e30.c2ln","identityHeaderTokens":[]}',
    Called: to,
    CalledCountry: 'US',
    Caller: from,
    CallerCountry: 'US',
    Direction: 'inbound',
    StirVerstat: 'TN-Validation-Passed-A',
    ...fields,
  };
};

/** The fields that Twilio sends for an inbound message. */
export const messageFields = (fields: TwilioFields = {}): TwilioFields => {
  const { From: from = newPhone(), To: to = '+14155550199' } = fields as Record<string, string>;
  const sid = newSid('SM');
  return {
    ...parties(from, to),
    MessageSid: sid,
    SmsSid: sid,
    SmsMessageSid: sid,
    SmsStatus: 'received',
    Body: 'Hello & good = day, ünïcode 👋 100% +1',
    NumMedia: '0',
    NumSegments: '1',
    ...fields,
  };
};
