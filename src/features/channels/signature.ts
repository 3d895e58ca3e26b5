import { createHmac, timingSafeEqual } from 'node:crypto';
import { webhookSignature } from '../../lib/webhook-signature.ts';

const isEqual = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Whether `hex` is the HMAC-SHA-256 of a text, in hexadecimal digits of any case. */
export const isHmac = (secret: string, text: string, hex: string): boolean =>
  isEqual(createHmac('sha256', secret).update(text).digest('hex'), hex.toLowerCase());

/** How much the clock of a sender may differ from ours. */
const TOLERANCE_SECONDS = 300;

export interface SignedMessage {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly body: string;
}

/** Whether a message has a valid, recent signature according to Standard Webhooks. The header may have several signatures, of
 *  which one must match. */
export const isSignedStandard = (
  secret: string,
  { id, timestamp, signature, body }: SignedMessage,
  now: Date,
): boolean => {
  if (!id || !timestamp || !signature || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = webhookSignature(secret, { id, timestamp, body });
  return signature.split(' ').some((each) => isEqual(each, expected));
};

/** Whether a form has a valid Twilio signature: of the URL, then every field and value in the order of the names. */
export const isSignedTwilio = (
  token: string,
  url: string,
  form: URLSearchParams,
  signature: string | undefined,
): boolean => {
  if (!signature) return false;
  const values = new Map<string, Set<string>>();
  for (const [name, value] of form) values.set(name, (values.get(name) ?? new Set()).add(value));
  const fields = [...values]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, each]) =>
      [...each]
        .toSorted()
        .map((value) => name + value)
        .join(''),
    )
    .join('');
  return urlVariants(url).some((address) =>
    isEqual(
      createHmac('sha1', token)
        .update(address + fields, 'utf8')
        .digest('base64'),
      signature,
    ),
  );
};

/** Depending on the product, Twilio signs the URL with or without the port. The rest stays as received, because parsing would
 *  change it. */
const urlVariants = (url: string): string[] => {
  const [, scheme, host, port, rest] = /^(https?:\/\/)([^/?]*?)(:\d+)?([/?].*)$/.exec(url) ?? [];
  if (scheme === undefined) return [url];
  const standard = scheme === 'https://' ? ':443' : ':80';
  return [url, `${scheme}${host}${port ?? standard}${rest}`, `${scheme}${host}${rest}`];
};
