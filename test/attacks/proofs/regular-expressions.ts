import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { constructedDuring, literalsIn, type Pattern } from '../kit/regular-expressions.ts';

// The native and the Java backends of the checker are not used.
process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = await import('recheck');

/** Only an unbounded repetition can take more than linear time. */
const UNBOUNDED = /[*+]|\{\d+,\}/;

/** Expressions that the automaton cannot check within a minute, and why each is linear. */
const READ = new Map([
  [
    String.raw`\{\{\{\{|\{\{([^{}|]{0,100})(?:\|([^{}]*))?\}\}|(\{\{?)\s*(\w+(?:\.\w+)*)(?:\s*(?:\|[^{}]*)?\}\}?)?`,
    'a brace is tried with the characters before the next brace alone, and the parts between them exclude each other',
  ],
  [String.raw`^\p{L}[\p{L} .]{0,20}:(?!:)\s*`, 'looks one character ahead'],
  [
    String.raw`^application\/json\s*(?:;(?!\s*charset\s*=(?!\s*"?utf-?8"?\s*(?:;|$)))[^;]*)*$`,
    'looks ahead of a semicolon as far as the next one',
  ],
  [String.raw`^sqlite:(?:\/\/(?!$)|(?!\/\/))(.+)$`, 'looks ahead near its beginning alone'],
  [String.raw`^[\s(]*0+(?=.*\d)`, 'looks ahead twice at most: a zero that is given back is a digit'],
  [String.raw`^::ffff:(?=\d+\.)`, 'looks ahead near its beginning alone'],
  [String.raw`^\/(?![/\\])[^\t\n\r]*$`, 'looks one character ahead'],
]);
/** Expressions that take the automaton half a second or more. Only the long suite checks them. */
const SLOW = new Set([
  // Of short texts, in the browser of the person who typed them.
  '^[^a-z]+|_+$',
  '_+$',
  String.raw`Expected "(.*)"\.$`,
  String.raw`does not match any of (\[.*\])\.$`,
  String.raw`(\p{M}{30})\p{M}+`,
  String.raw`^(?:\d{4}[-./]?(?:0?[1-9]|1[0-2])[-./]?(?:0?[1-9]|[12]\d|3[01])|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d{2}))(?:[T ].*)?$`,
  String.raw`^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([\w+/]+)\$([\w+/]+)$`,
  String.raw`^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$`,
  String.raw`^roster-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-(sqlite|postgres)-schema(\d+)\.(db|dump)(\.age)?$`,
  String.raw`^Max open files +(\d+)`,
  '^age1[a-z0-9]{20,}$',
  '[?&]target_session_attrs=([^&#]*)',
  String.raw`configuration parameter "([\w.]+)"`,
  String.raw`^\s*(?:insert into|update|delete from) "?(\w+)`,
  String.raw`^application\/x-www-form-urlencoded\s*(?:;|$)`,
  String.raw`^(phone|email)(?:address|number)?(\d+)(?:value|address|number)?$`,
  String.raw`^\d+; .* (?:EXTENSION|COMMENT) - `,
  String.raw`^(?:-.*|\d*[.,]\d+|\d{1,3}(?:\.\d{1,3}){3}|\d{3}-\d\d-\d{4}|\d{5}-\d{4})$`,
]);

/** Expressions that are constructed later. */
const BUILT_AT_RUNTIME: Readonly<Record<string, string>> = {
  'src/lib/json-schema.ts':
    'patterns of schemas, which are only parsed there; checks with them have a time limit',
  'src/lib/trunk-prefix.ts': "the numbering plans of libphonenumber, for a number's digits",
  'dashboard/src/pages/agents/config/schema.ts': "patterns of the reader's own schema, in the browser",
  'dashboard/src/lib/i18n.ts': 'the messages of the service, which are short, in the browser of the reader',
};

/** Checks that a regular expression takes linear time, or returns an input for which it does not. The automaton is
 *  deterministic; the fuzzer can decide more, but is not. */
const checkPattern = ({ source, flags }: Pattern): string => {
  if (!UNBOUNDED.test(source) || READ.has(source)) return 'safe';
  const checked = checkSync(source, flags, { checker: 'automaton', timeout: 60_000 });
  return checked.status === 'vulnerable'
    ? `${checked.complexity.summary}, for example ${checked.attack.pattern}`
    : checked.status;
};

const problemsOf = (patterns: readonly Pattern[], isExhaustive: boolean) => {
  const checked = patterns.filter(({ source }) => isExhaustive || !SLOW.has(source));
  const distinct = new Map(checked.map((each) => [`/${each.source}/${each.flags}`, each]));
  return [...distinct].flatMap(([name, each]) => {
    const result = checkPattern(each);
    return result === 'safe' ? [] : [`${each.file}: ${name} is ${result}`];
  });
};

/** Checks every regular expression of the sources, optionally without those that take seconds. */
export const checkRegularExpressions = (isExhaustive: boolean): void => {
  describe('Regular expressions', () => {
    const { literals, constructing } = literalsIn('src/**/*.ts', 'dashboard/src/**/*.{ts,tsx}');
    let constructed: Pattern[] = [];
    before(async () => {
      constructed = await constructedDuring(async () => {
        await import('../../../src/wiring/routes.ts');
        await import('../../../src/wiring/operations.ts');
        await import('../../../src/cli/temp-file.ts');
      });
    });

    it('The checker detects quadratic and exponential regular expressions', () => {
      for (const source of ['\\s*;', '^(a+)+$', '\\d+x'])
        assert.match(checkPattern({ file: '', source, flags: '' }), /polynomial|exponential/, source);
    });

    it('Every regular expression literal in the sources runs in linear time', { timeout: 600_000 }, () => {
      assert.ok(literals.length > 100, `${literals.length} were found`);
      const sources = new Set([...literals, ...constructed].map(({ source }) => source));
      for (const source of [...READ.keys(), ...SLOW])
        assert.ok(sources.has(source), `${source} is not used any longer`);
      assert.deepEqual(problemsOf(literals, isExhaustive), []);
    });

    it('Every regular expression constructed at start runs in linear time', () => {
      const files = new Set(constructed.map(({ file }) => file));
      for (const file of constructing.difference(new Set(Object.keys(BUILT_AT_RUNTIME))))
        assert.ok(files.has(file), `the one of ${file} is not seen here`);
      assert.deepEqual(
        problemsOf(
          constructed.filter(({ file }) => constructing.has(file)),
          isExhaustive,
        ),
        [],
      );
    });
  });
};
