import { createHmac, randomBytes } from 'node:crypto';

/** The secrets and signatures of Standard Webhooks (https://www.standardwebhooks.com). */
const PREFIX = 'whsec_';
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const NEW_BYTES = 32;

export const newWebhookSecret = (): string => PREFIX + randomBytes(NEW_BYTES).toString('base64');

/** The key of a secret: 24 to 64 bytes. Undefined if the text is not a secret in canonical base64. */
const keyOf = (secret: string): Buffer | undefined => {
  if (!secret.startsWith(PREFIX)) return undefined;
  const base64 = secret.slice(PREFIX.length);
  const key = Buffer.from(base64, 'base64');
  const isKey = key.length >= MIN_BYTES && key.length <= MAX_BYTES && key.toString('base64') === base64;
  return isKey ? key : undefined;
};

export const isWebhookSecret = (text: string): boolean => keyOf(text) !== undefined;

/** Signs a message for one attempt. Its id is the same for every attempt, so that the receiver recognizes a repetition. During a
 *  rotation there are two secrets, and the header has a signature by each, so that receivers with either of them accept it. */
export const signWebhook = (
  { id, body }: { readonly id: string; readonly body: string },
  secrets: readonly string[],
  now: Date,
) => {
  if (secrets.length === 0) throw new TypeError('A webhook needs a secret.');
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const content = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = keyOf(secret);
    if (key === undefined) throw new TypeError('A webhook secret is malformed.');
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
};
