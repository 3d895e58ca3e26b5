const MAX_LENGTH = 200;
const MAX_QUANTIFIERS = 20;
/** V8 copies what is repeated. */
const MAX_REPEATED = 1_000;

const compiles = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, 'u') !== undefined;
  } catch {
    return false;
  }
};

/** An escape, a group's start, a quantifier, or another character. */
const TOKEN = /\\(?:k<|.)|\((?:\?(?:<?[=!]|[:<a-z-]))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

const isQuantifier = (token: string) => /^[*+?{]/.test(token);
/** It repeats what is before it, so it is more than an optional part. */
const repeats = (token: string) => !/^\?|^\{[01]\}/.test(token);

/** Why a regular expression may take too long, or is none; undefined if it is safe enough for texts of limited length. Repetitions inside
 *  of repetitions take exponential time, and so do alternatives that are repeated. */
export const patternProblem = (pattern: string): string | undefined => {
  if (pattern.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters.`;
  if (!compiles(pattern)) return 'must be a regular expression of ECMA-262 (with the flag u).';
  /** For each open group, whether it has a quantifier or an alternative. */
  const groups: boolean[] = [];
  let closed = false;
  let isInClass = false;
  let quantifiers = 0;
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (isInClass || token === '[' || token === ']') {
      isInClass = token !== ']';
      closed = false;
      continue;
    }
    if (/^\\(?:[1-9]|k<)/.test(token)) return 'must not have backreferences.';
    if (/^\(\?<?[=!]/.test(token)) return 'must not have look-aheads or look-behinds.';
    if (/^\(\?[^:<]/.test(token)) return 'must not have flags of a group.';
    if (isQuantifier(token)) {
      if (closed && repeats(token))
        return 'must not repeat a group that has a quantifier or alternatives. Repeat single characters or classes.';
      if (token.match(/\d+/g)?.some((count) => Number(count) > MAX_REPEATED))
        return `must not repeat anything more than ${MAX_REPEATED} times.`;
      if (++quantifiers > MAX_QUANTIFIERS) return `must have at most ${MAX_QUANTIFIERS} quantifiers.`;
    }
    closed = token === ')' && groups.pop() === true;
    if (groups.length > 0 && (closed || token === '|' || isQuantifier(token)))
      groups[groups.length - 1] = true;
    if (token.startsWith('(')) groups.push(false);
  }
  return undefined;
};
