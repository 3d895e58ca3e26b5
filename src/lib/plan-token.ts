import type { Encryptor } from './encryption.ts';

/* What a caller has reviewed before a change. */

export const PLAN_MINUTES = 10;

const EXPIRY_BYTES = 4;
/** What the plan was made from, such as a time or the beginning of a hash. */
export const STATE_BYTES = 6;
const SIGNATURE_BYTES = 16;
const TOKEN = /^plan_([\w-]{35})$/;

interface Plan {
  readonly purpose: string;
  /** The caller and the request that the token is valid for. */
  readonly about: unknown;
}

const signedText = (about: unknown, head: Buffer): string => JSON.stringify([about, head.toString('hex')]);

/** A short text that a model can repeat without errors: when it expires, the state, and a signature of these and of what it is about. */
export const issueToken = (
  encryptor: Pick<Encryptor, 'sign'>,
  { purpose, about, state }: Plan & { readonly state: Buffer },
  now: number,
): { plan_token: string; expires_at: string } => {
  const expires = Math.floor(now / 1_000) + PLAN_MINUTES * 60;
  const head = Buffer.alloc(EXPIRY_BYTES + STATE_BYTES);
  head.writeUInt32BE(expires, 0);
  state.copy(head, EXPIRY_BYTES, 0, STATE_BYTES);
  const signature = encryptor.sign(signedText(about, head), purpose);
  const token = Buffer.concat([head, signature.subarray(0, SIGNATURE_BYTES)]).toString('base64url');
  return { plan_token: `plan_${token}`, expires_at: new Date(expires * 1_000).toISOString() };
};

/** The state of a token, or why it is not valid. */
export const readToken = (
  encryptor: Pick<Encryptor, 'isSigned'>,
  { purpose, about, token }: Plan & { readonly token: string },
  now: number,
): Buffer | 'foreign' | 'expired' => {
  const bytes = Buffer.from(TOKEN.exec(token)?.[1] ?? '', 'base64url');
  const head = bytes.subarray(0, EXPIRY_BYTES + STATE_BYTES);
  const signature = bytes.subarray(EXPIRY_BYTES + STATE_BYTES);
  if (
    signature.length !== SIGNATURE_BYTES ||
    !encryptor.isSigned(signedText(about, head), purpose, signature)
  )
    return 'foreign';
  return head.readUInt32BE(0) * 1_000 <= now ? 'expired' : head.subarray(EXPIRY_BYTES);
};
