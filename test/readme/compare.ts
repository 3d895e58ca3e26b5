import assert from 'node:assert/strict';
import type { Block } from './markdown.ts';

const TOKENS =
  /(?<contact>contact_[0-9a-z]{26})|(?<key>key_[0-9a-z]{26})|(?<secret>rk_[0-9a-z]+_[\w-]{32})|(?<request>req_[0-9a-z]{16,})|(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)|(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;

/** Tokens that are replaced without a number; all others are numbered in the order of their first appearance. */
const ANONYMOUS = new Set(['request', 'time']);

/** Replaces tokens that differ from run to run with their kind: `<contact 1>`, `<time>`. Use one namer for all outputs of a
 *  run: two runs are equal only if the same token appears in the same places. */
export const createNamer = () => {
  const numbers = new Map<string, number>();
  return (text: string): string =>
    text.replace(TOKENS, (token, ...rest) => {
      const groups = rest.at(-1) as Record<string, string | undefined>;
      const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? '';
      if (ANONYMOUS.has(kind)) return `<${kind}>`;
      const same = [...numbers.keys()].filter((known) => known.startsWith(`${kind} `)).length;
      const number = numbers.get(`${kind} ${token}`) ?? same + 1;
      numbers.set(`${kind} ${token}`, number);
      return `<${kind} ${number}>`;
    });
};

type Namer = ReturnType<typeof createNamer>;

const splitHttp = (text: string) => {
  const [head = '', ...body] = text.trim().replaceAll('\r', '').split('\n\n');
  const [status, ...headers] = head.split('\n');
  return { status, headers, body: body.join('\n\n') };
};

/** Fails if an output differs from what the document shows. An `http` block may omit headers. */
export const assertMatches = (shown: Block, output: string, inDocument: Namer, inOutput: Namer): void => {
  if (shown.language === 'http') {
    const expected = splitHttp(inDocument(shown.text));
    const actual = splitHttp(inOutput(output));
    assert.equal(actual.status, expected.status);
    for (const header of expected.headers) {
      assert.ok(actual.headers.includes(header), `no header "${header}" in:\n${actual.headers.join('\n')}`);
    }
    assert.deepEqual(JSON.parse(actual.body), JSON.parse(expected.body));
  } else if (shown.language === 'json') {
    assert.deepEqual(JSON.parse(inOutput(output)), JSON.parse(inDocument(shown.text)));
  } else {
    assert.equal(inOutput(output).trim(), inDocument(shown.text).trim());
  }
};
