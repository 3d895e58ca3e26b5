import { MAX_PROBLEMS, type Problem } from '../../lib/errors.ts';
import { pointerTo } from '../../lib/json.ts';

/** A reference to a secret, which the runtime resolves. */
const REFERENCE = /^\$secret:[\w.-]{1,100}$/;

/** Prefixes by which providers mark their keys, and how many characters follow at least. */
const PREFIXES: readonly (readonly [string, number])[] = [
  ['sk-', 20], ['sk_live_', 10], ['sk_test_', 10], ['rk_', 20], ['rk_live_', 10], ['rk_test_', 10], ['whsec_', 16],
  ['xoxa-', 10], ['xoxb-', 10], ['xoxe-', 10], ['xoxo-', 10], ['xoxp-', 10], ['xoxr-', 10], ['xoxs-', 10], ['xapp-', 10],
  ['ghp_', 30], ['gho_', 30], ['ghu_', 30], ['ghs_', 30], ['ghr_', 30], ['github_pat_', 20], ['glpat-', 16],
  ['AKIA', 16], ['ASIA', 16], ['AIza', 30], ['ya29.', 20], ['SG.', 30], ['hf_', 30], ['gsk_', 30], ['npm_', 30], ['xai-', 30],
]; // biome-ignore format: a table
const WORD = /[\w.-]+/g;

const isKnownKey = (word: string): boolean =>
  PREFIXES.some(([prefix, length]) => word.length >= prefix.length + length && word.startsWith(prefix)) &&
  /\d/.test(word) &&
  /[A-Za-z]/.test(word);

/** A signed token: three parts, of which two are JSON objects in base64. */
const isSignedToken = (word: string): boolean => {
  const [header = '', payload = '', ...rest] = word.split('.');
  return rest.length === 1 && [header, payload].every((part) => part.startsWith('eyJ') && part.length > 12);
};

/** Whether a part of a text is a URL with a password. */
const hasPassword = (part: string): boolean => {
  const start = part.indexOf('://');
  if (start <= 0) return false;
  const [authority = ''] = part.slice(start + 3).split(/[/?#]/, 1);
  const user = authority.slice(0, Math.max(authority.lastIndexOf('@'), 0));
  const password = user.slice(user.indexOf(':') + 1);
  return user.includes(':') && password.length > 2 && !/[{<$]/.test(password);
};

const hasKnown = (text: string): boolean =>
  (text.includes('-----BEGIN ') && text.includes('PRIVATE KEY')) ||
  (text.includes('://') && text.split(/[\s"'<>,]/).some(hasPassword)) ||
  (text.match(WORD) ?? []).some((word) => isKnownKey(word) || isSignedToken(word));

/** Names of members whose random values are credentials: `api_key`, `apiKey`, `X-Auth-Token`, `client_secret`. */
const SECRET_NAME =
  /(?:apikey|accesskey|privatekey|secretkey|signingkey|secret|password|passwd|passphrase|token|authorization|credential|bearer)s?$/;
const isSecretName = (name: string) => SECRET_NAME.test(name.toLowerCase().replace(/[^a-z0-9]/g, ''));

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Words and short numbers, such as `end-of-turn_v2`. */
const WORDS = /^[A-Za-z]{1,20}(?:[-_. ][A-Za-z]{0,20}\d{0,3}){0,20}$/;
const MIN_LENGTH = 16;
const MIN_BITS = 3;

/** The Shannon entropy of a text, in bits for each character. */
const entropyOf = (text: string): number => {
  const counts = new Map<string, number>();
  for (const each of text) counts.set(each, (counts.get(each) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
};

/** Whether a text looks random: no URL, id, placeholder, word or sentence. */
const isRandom = (text: string): boolean =>
  text.length >= MIN_LENGTH &&
  !/[\s{}<>]|^[a-z]+:\/\//i.test(text) &&
  !UUID.test(text) &&
  !WORDS.test(text) &&
  entropyOf(text) >= MIN_BITS;

const SCHEME = /^(?:Bearer|Basic|Token)\s+/i;

const isCredential = (text: string, name: string): boolean => {
  if (REFERENCE.test(text.replace(SCHEME, ''))) return false;
  if (hasKnown(text)) return true;
  return (SCHEME.test(text) || isSecretName(name)) && isRandom(text.replace(SCHEME, ''));
};

const MESSAGE =
  'looks like a credential. Store it in the runtime, and send a reference such as "$secret:name", which Roster returns as it is.';

/** Values and names that look like credentials, by their paths. Neither messages nor paths have them. */
export const credentialsIn = (
  value: unknown,
  field: string,
  name = '',
  problems: Problem[] = [],
): Problem[] => {
  if (problems.length >= MAX_PROBLEMS) return problems;
  if (typeof value === 'string') {
    if (isCredential(value, name)) problems.push({ field, message: MESSAGE });
  } else if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) credentialsIn(each, pointerTo(field, at), name, problems);
  } else if (typeof value === 'object' && value !== null) {
    // A header as a pair: {"name": "Authorization", "value": "…"}.
    const { name: header, key = header } = value as { name?: unknown; key?: unknown };
    for (const [member, each] of Object.entries(value)) {
      const named = member === 'value' && typeof key === 'string' ? key : member;
      if (hasKnown(member)) problems.push({ field, message: `has a name that ${MESSAGE}` });
      else credentialsIn(each, pointerTo(field, member), named, problems);
    }
  }
  return problems;
};
