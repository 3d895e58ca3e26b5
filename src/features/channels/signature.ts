import { createHmac, timingSafeEqual } from 'node:crypto';

const same = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** How far the clock of a sender may be from ours. */
const TOLERANCE_SECONDS = 300;

const SECRET_PREFIX = 'whsec_';

export interface SignedMessage {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly body: string;
}

/** Whether a message was signed with the secret as Standard Webhooks describes, and just now. The header may carry
 *  several signatures, of which one must fit. */
export const isSignedStandard = (
  secret: string,
  { id, timestamp, signature, body }: SignedMessage,
  now: Date,
): boolean => {
  if (!id || !timestamp || !signature || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return signature.split(' ').some((each) => same(each, `v1,${expected}`));
};

/** Whether a form was signed as Twilio does: the address, then every field and value in the order of the names. */
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
  return addressesOf(url).some((address) =>
    same(
      createHmac('sha1', token)
        .update(address + fields, 'utf8')
        .digest('base64'),
      signature,
    ),
  );
};

/** Twilio writes the port of an address or leaves it out, depending on the product. The rest stays as it was received:
 *  parsing would rewrite what was signed. */
const addressesOf = (url: string): string[] => {
  const [, scheme, host, port, rest] = /^(https?:\/\/)([^/?]*?)(:\d+)?([/?].*)$/.exec(url) ?? [];
  if (scheme === undefined) return [url];
  const standard = scheme === 'https://' ? ':443' : ':80';
  return [url, `${scheme}${host}${port ?? standard}${rest}`, `${scheme}${host}${rest}`];
};
