import { tokensOf } from '../../../lib/json-text.ts';

const INDENT = '  ';

/** JSON with a line for each member. Numbers, strings and repeated names stay as they are written. */
export const formatted = (json: string): string => {
  const tokens = tokensOf(json);
  let text = '';
  let depth = 0;
  const line = () => `\n${INDENT.repeat(depth)}`;
  for (const [at, { text: token }] of tokens.entries()) {
    const before = tokens[at - 1]?.text;
    const isEmpty = before === '{' || before === '[';
    if (token === '}' || token === ']') {
      depth--;
      text += (isEmpty ? '' : line()) + token;
      continue;
    }
    if (isEmpty || before === ',') text += line();
    text += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth++;
  }
  return text;
};
