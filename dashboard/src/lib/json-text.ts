/* JSON as text. Parsing and writing it again would change spaces, numbers such as 1.0 and repeated names. */

export interface Token {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"?|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/** The tokens of a text, which may be unfinished JSON. A string that is not closed ends with its line. */
export const tokensOf = (json: string): Token[] =>
  Array.from(json.matchAll(TOKEN), ({ 0: text, index }) => ({ text, from: index, to: index + text.length }));

const depthChange = ({ text }: Token): number =>
  text === '{' || text === '[' ? 1 : text === '}' || text === ']' ? -1 : 0;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A member's value as it is written in the text of a JSON object; undefined without this member. */
export const memberText = (json: string, name: string): string | undefined => {
  const tokens = tokensOf(json);
  let depth = 0;
  let start: number | undefined;
  for (const [at, token] of tokens.entries()) {
    const change = depthChange(token);
    if (start !== undefined && depth === 1 && (token.text === ',' || change < 0))
      return json.slice(start, tokens[at - 1]?.to);
    depth += change;
    const isName = depth === 1 && tokens[at + 1]?.text === ':' && start === undefined;
    if (isName && parsed(token.text) === name) start = tokens[at + 2]?.from;
  }
  return undefined;
};

/** Where a value is in a text. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export type Step = string | number;

/** The steps of a JSON Pointer (RFC 6901). */
export const pointerSteps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

export const pointerTo = (pointer: string, step: Step): string =>
  `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** A JSON Pointer as people write paths: `tools[0].name`. */
export const pathText = (pointer: string): string =>
  pointerSteps(pointer).reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`;
    if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step)) return `${path}[${JSON.stringify(step)}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
