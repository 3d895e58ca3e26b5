import { type Schema, Validator } from '@cfworker/json-schema';
import { MAX_PROBLEMS, type Problem } from './errors.ts';
import { pointerTo } from './json.ts';
import { withinTime } from './time-limit.ts';
import { isObject } from './validation.ts';

/* JSON Schemas of callers, draft 2020-12. `format` and other annotations are not checked, as the draft has it by default. */

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const TYPES: readonly unknown[] = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
/** Reading a regular expression cannot be interrupted; one of this length takes up to three milliseconds. */
const MAX_PATTERN = 200;
const MAX_PATTERNS = 50;

type IsValid = (value: unknown) => boolean;
const isString: IsValid = (value) => typeof value === 'string';
const isNumber: IsValid = (value) => typeof value === 'number';
const isType: IsValid = (value) => TYPES.includes(value);
const isSetOf =
  (isItem: IsValid, min: number): IsValid =>
  (value) =>
    Array.isArray(value) &&
    value.length >= min &&
    value.every(isItem) &&
    new Set(value).size === value.length;
const isNames = isSetOf(isString, 0);
const isTypes = isSetOf(isType, 1);
const isPattern: IsValid = (value) => {
  if (typeof value !== 'string' || value.length > MAX_PATTERN) return false;
  try {
    return Boolean(new RegExp(value, 'u'));
  } catch {
    return false;
  }
};
const NO_PATTERN = `must be a regular expression of ECMA-262 (with the flag u) of at most ${MAX_PATTERN} characters.`;

/** Keywords without subschemas, with the values that they can have. */
const KEYWORDS: readonly (readonly [names: string, IsValid, message: string])[] = [
  [
    'maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties',
    (value) => Number.isInteger(value) && (value as number) >= 0,
    'must be a whole number from 0.',
  ],
  ['maximum exclusiveMaximum minimum exclusiveMinimum', isNumber, 'must be a number.'],
  ['multipleOf', (value) => isNumber(value) && (value as number) > 0, 'must be a number above 0.'],
  ['uniqueItems', (value) => typeof value === 'boolean', 'must be true or false.'],
  ['$ref $anchor', isString, 'must be a string.'],
  ['pattern', isPattern, NO_PATTERN],
  ['enum', Array.isArray, 'must be an array.'],
  ['const', () => true, ''],
  ['required', isNames, 'must be an array of different strings.'],
  [
    'dependentRequired',
    (value) => isObject(value) && Object.values(value).every(isNames),
    'must be an object of arrays of different strings.',
  ],
  [
    'type',
    (value) => isType(value) || isTypes(value),
    `must be one of ${TYPES.join(', ')}, or an array of different ones.`,
  ],
  ['$schema', (value) => value === DRAFT || value === `${DRAFT}#`, `must be ${DRAFT}.`],
  [
    '$dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary',
    () => false,
    'is not supported. Use $ref with a reference within the schema.',
  ],
];
const keywords = new Map(
  KEYWORDS.flatMap(([names, ...rest]) => names.split(' ').map((name) => [name, rest] as const)),
);

const wordsOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));
/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const WITH_SCHEMA = wordsOf(
  'not if then else contains items additionalProperties propertyNames unevaluatedProperties unevaluatedItems',
);
const WITH_LIST = wordsOf('allOf anyOf oneOf prefixItems');
const WITH_MAP = wordsOf('$defs definitions properties patternProperties dependentSchemas');

const decoded = (ref: string): string => {
  try {
    return decodeURIComponent(ref);
  } catch {
    return ref;
  }
};

/** What is wrong with a schema, and a copy with the keywords that decide about values. */
const readSchema = (schema: unknown, root = '') => {
  const problems: Problem[] = [];
  const refs: { path: string; ref: string }[] = [];
  let patterns = 0;
  /** What a reference may name. */
  const targets = new Set(['#']);
  const refuse = (path: string, message: string): undefined => {
    problems.push({ field: root + path, message });
  };

  const read = (value: unknown, path: string): unknown => {
    targets.add(`#${path}`);
    if (typeof value === 'boolean') return value;
    if (!isObject(value)) return refuse(path, 'must be a schema: an object, true or false.');
    const members = Object.entries(value).map(([name, each]) => [
      name,
      readKeyword(name, each, pointerTo(path, name)),
    ]);
    // `fromEntries`, because a name can be __proto__.
    return Object.fromEntries(members.filter(([, each]) => each !== undefined));
  };

  const readKeyword = (name: string, value: unknown, path: string): unknown => {
    if (WITH_SCHEMA.has(name)) return read(value, path);
    if (WITH_LIST.has(name)) {
      if (!Array.isArray(value) || value.length === 0)
        return refuse(path, 'must be an array of at least one schema.');
      return value.map((each, at) => read(each, pointerTo(path, at)));
    }
    if (WITH_MAP.has(name)) {
      if (!isObject(value)) return refuse(path, 'must be an object of schemas.');
      const members = Object.entries(value).map(([key, each]) => {
        const at = pointerTo(path, key);
        if (name === 'patternProperties') readKeyword('pattern', key, at);
        return [key, read(each, at)];
      });
      return Object.fromEntries(members);
    }
    if (name === '$id' && path !== '/$id') return refuse(path, 'is supported only at the top of the schema.');
    const keyword = keywords.get(name);
    if (!keyword) return undefined;
    const [isValid, message] = keyword;
    if (name === 'pattern' && ++patterns > MAX_PATTERNS)
      return refuse(path, `is one pattern too many: a schema can have ${MAX_PATTERNS}.`);
    if (!isValid(value)) return refuse(path, message);
    if (name === '$ref') refs.push({ path, ref: value as string });
    if (name === '$anchor') targets.add(`#${value}`);
    return value;
  };

  const checked = read(schema, '');
  for (const { path, ref } of refs) {
    if (!ref.startsWith('#')) refuse(path, 'must start with #. Schemas are never downloaded.');
    else if (!targets.has(decoded(ref)))
      refuse(path, 'must name a schema within this one, such as #/$defs/name.');
  }
  return { checked, problems };
};

/** What is wrong with a schema, by the meta-schema and our limits; fields are `root` and a JSON Pointer. */
export const schemaProblems = (schema: unknown, root: string): Problem[] => readSchema(schema, root).problems;

const LIMIT_MS = 100;

/** A keyword that fails because a subschema does, which has its own problem. */
const WRAPPERS = new Set(
  '$ref allOf if properties patternProperties additionalProperties unevaluatedProperties propertyNames dependentSchemas prefixItems items unevaluatedItems'.split(
    ' ',
  ),
);
/** The problems of the alternatives follow those of these. */
const ALTERNATIVES = new Set(['anyOf', 'oneOf', 'not', 'contains']);

/** The most characters of a keyword's value in a message. */
const MAX_VALUE = 200;

/** What to send instead, by keyword: the part of the validator's error that has the keyword's value, and what it means. */
const EXPECTED: Readonly<Record<string, readonly [RegExp, string]>> = {
  required: [/^Instance does not have required property "(.*)"\.$/s, 'must have the property $1.'],
  enum: [/^Instance does not match any of \[(.*)\]\.$/s, 'must be one of $1.'],
  const: [/^Instance does not match (.*)\.$/s, 'must be $1.'],
  minimum: [/than (\S+)\.$/, 'must be at least $1.'],
  maximum: [/than (\S+)\.$/, 'must be at most $1.'],
  exclusiveMinimum: [/than (\S+)\.$/, 'must be more than $1.'],
  exclusiveMaximum: [/to (\S+)\.$/, 'must be less than $1.'],
  multipleOf: [/of (\S+)\.$/, 'must be a multiple of $1.'],
  minLength: [/< (\d+)\)/, 'must have at least $1 characters.'],
  maxLength: [/> (\d+)\)/, 'must have at most $1 characters.'],
  minItems: [/< (\d+)\)/, 'must have at least $1 items.'],
  maxItems: [/> (\d+)\)/, 'must have at most $1 items.'],
};

/** Undefined if the validator's error does not tell. */
const expectedBy = (keyword: string, error: string): string | undefined => {
  const [, types] = error.split('. Expected "');
  if (keyword === 'type' && types) return `must be ${types.slice(0, -2).replaceAll('", "', ' or ')}.`;
  const [part, message] = EXPECTED[keyword] ?? [];
  const value = part?.exec(error)?.[1];
  if (!value) return undefined;
  const cut = value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE).toWellFormed()}…` : value;
  return message?.replace('$1', () => cut).replace(/ 1 (character|item)s\.$/, ' 1 $1.');
};

const messageOf = (keyword: string, error: string, showsSchema: boolean): string => {
  if (keyword === 'false') return 'is not allowed by the config schema.';
  const expected = showsSchema ? expectedBy(keyword, error) : undefined;
  const hint = showsSchema ? '' : ' A key with the scope agents:read can read that schema.';
  return expected ?? `does not match \`${keyword}\` of the config schema.${hint}`;
};

/** Why a value does not match a valid schema. Checking ends after a limited time, whatever the schema and the value. Without
 *  `showsSchema`, the problems name the keywords of the schema, but not their values. */
export const mismatches = (
  value: unknown,
  schema: unknown,
  root: string,
  { showsSchema = true } = {},
): Problem[] => {
  const found = withinTime(() => errorsOf(value, schema), LIMIT_MS);
  if (!found)
    return [
      {
        field: root,
        message: `takes longer than ${LIMIT_MS} ms to check against the schema. Simplify the schema.`,
      },
    ];
  const problems: Problem[] = [];
  for (const { keyword, instanceLocation, error } of found) {
    if (WRAPPERS.has(keyword)) continue;
    // The location is a fragment of a URL.
    const pointer = decodeURIComponent(instanceLocation.slice(1));
    problems.push({ field: root + pointer, message: messageOf(keyword, error, showsSchema) });
    if (ALTERNATIVES.has(keyword) || problems.length === MAX_PROBLEMS) break;
  }
  return problems;
};

const errorsOf = (value: unknown, schema: unknown) => {
  try {
    const { valid, errors } = new Validator(readSchema(schema).checked as Schema, '2020-12', false).validate(
      value,
    );
    return valid ? [] : errors;
  } catch (error) {
    // A schema that refers to itself without end, too many errors, or a regular expression that is too large.
    if (error instanceof RangeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
};
