import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import { t } from '../../../lib/i18n.ts';
import { pathText, type Range } from '../../../lib/json-text.ts';
import { type Mistake, type MistakeKind, mistakeIn, rangeOf } from './scan.ts';
import type { SchemaObject } from './schema.ts';

/** What is wrong at a path. */
export interface Problem {
  /** A JSON Pointer. */
  readonly pointer: string;
  readonly message: string;
}

export interface LocatedProblem extends Range {
  /** Such as `tools[0].name`; undefined for a mistake in the JSON. */
  readonly path: string | undefined;
  readonly line: number;
  readonly message: string;
}

const mistakes: Readonly<Record<MistakeKind, string>> = {
  comma: t('A comma is missing here.'),
  colon: t('A colon is missing here.'),
  name: t('A name in double quotes is missing here.'),
  value: t('A value is missing here.'),
  close: t('A closing bracket is missing at the end.'),
  quote: t('The closing quote is missing.'),
  literal: t('This is no JSON value. Texts need double quotes.'),
  end: t('Nothing may follow the closing bracket.'),
  object: t('This must be a JSON object: { … }.'),
  repeated: t('This name is used twice.'),
};

const MAX_PROBLEMS = 20;
/** A keyword that fails because a subschema does, which has its own problem. */
const WRAPPERS = new Set(
  '$ref allOf if properties patternProperties additionalProperties unevaluatedProperties propertyNames dependentSchemas prefixItems items unevaluatedItems format'.split(
    ' ',
  ),
);

const messageOf = ({ keyword, error }: OutputUnit): string => {
  if (keyword === 'false') return t('The schema does not allow this.');
  const expected = /Expected "(.*)"\.$/.exec(error)?.[1];
  if (keyword === 'type' && expected)
    return t('This must be of the type {types}.', { types: expected.replaceAll('", "', ', ') });
  const missing = /required property "(.{1,200})"/s.exec(error)?.[1];
  if (keyword === 'required' && missing) return t('The property {name} is missing.', { name: missing });
  const values = /does not match any of (\[.*\])\.$/s.exec(error)?.[1];
  if (keyword === 'enum' && values) return t('This must be one of {values}.', { values });
  return t('This does not match “{keyword}” of the schema.', { keyword });
};

/** Why a value does not match the schema, as far as this browser can tell. The service checks it again. */
export const mismatches = (value: unknown, schema: SchemaObject): Problem[] => {
  try {
    const { errors } = new Validator(schema as Schema, '2020-12', false).validate(value);
    return errors
      .filter(({ keyword }) => !WRAPPERS.has(keyword))
      .slice(0, MAX_PROBLEMS)
      .map((each) => ({
        pointer: decodeURIComponent(each.instanceLocation.slice(1)),
        message: messageOf(each),
      }));
  } catch {
    // The schema itself is wrong.
    return [];
  }
};

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;

const mistakeProblem = (text: string, { kind, from, to }: Mistake): LocatedProblem => ({
  path: undefined,
  line: lineAt(text, from),
  message: mistakes[kind],
  from,
  to,
});

/** What is wrong with a typed configuration, in its order: a mistake in the JSON, or what the schema and the service say. */
export const problemsIn = (
  text: string,
  schema: SchemaObject | undefined,
  reported: readonly Problem[],
): LocatedProblem[] => {
  const mistake = mistakeIn(text);
  if (mistake) return [mistakeProblem(text, mistake)];
  const found = [...reported, ...(schema ? mismatches(JSON.parse(text), schema) : [])];
  const located = found.map(({ pointer, message }) => {
    const range = rangeOf(text, pointer);
    return { path: pathText(pointer), line: lineAt(text, range.from), message, ...range };
  });
  return located
    .filter((each, at) => !reported.length || located.findIndex(({ from }) => from === each.from) === at)
    .sort((a, b) => a.from - b.from);
};
