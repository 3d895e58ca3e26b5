import { createHmac, randomBytes } from 'node:crypto';

/** The secrets and signatures of Standard Webhooks (https://www.standardwebhooks.com). */
const PREFIX = 'whsec_';
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const NEW_BYTES = 32;

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

export const newWebhookSecret = (): string => PREFIX + randomBytes(NEW_BYTES).toString('base64');

/** Whether a text is a secret of 24 to 64 bytes in canonical base64. */
export const isWebhookSecret = (text: string): boolean => {
  const key = keyOf(text);
  return key.length >= MIN_BYTES && key.length <= MAX_BYTES && text === PREFIX + key.toString('base64');
};

/** A message for one attempt. Its id is the same for every attempt, so that the receiver recognizes a repetition. */
interface Message {
  readonly id: string;
  /** In seconds. */
  readonly timestamp: string;
  readonly body: string;
}

/** Throws if the secret is malformed: anyone can sign with an empty key. */
export const webhookSignature = (secret: string, { id, timestamp, body }: Message): string => {
  if (!isWebhookSecret(secret)) throw new Error('A webhook secret is malformed.');
  return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
};

/** The headers of a message. During a rotation there are two secrets, and the header has a signature by each, so that receivers with
 *  either of them accept it. */
export const signWebhook = (
  { id, body }: Pick<Message, 'id' | 'body'>,
  secrets: readonly string[],
  now: Date,
) => {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => webhookSignature(secret, { id, timestamp, body })).join(' '),
  };
};
