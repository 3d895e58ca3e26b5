import { type Schema, Validator } from '@cfworker/json-schema';
import type { Problem } from './errors.ts';
import { pointerTo } from './json-pointer.ts';
import { patternProblem } from './safe-pattern.ts';
import { withinTime } from './time-limit.ts';

/* JSON Schemas of callers, draft 2020-12. `format` and other annotations are not checked, as the draft has it by default. */

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const TYPES: readonly unknown[] = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isTypes = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && isNames(value) && value.every((each) => TYPES.includes(each));
const isNames = (value: unknown) =>
  Array.isArray(value) &&
  value.every((each) => typeof each === 'string') &&
  new Set(value).size === value.length;

/** What the meta-schema requires of the values of keywords that have no subschemas. */
const forms: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  count: [isCount, 'must be a whole number from 0.'],
  number: [(value) => typeof value === 'number', 'must be a number.'],
  divisor: [(value) => typeof value === 'number' && value > 0, 'must be a number above 0.'],
  boolean: [(value) => typeof value === 'boolean', 'must be true or false.'],
  string: [(value) => typeof value === 'string', 'must be a string.'],
  list: [Array.isArray, 'must be an array.'],
  names: [isNames, 'must be an array of different strings.'],
  requirements: [
    (value) => isObject(value) && Object.values(value).every(isNames),
    'must be an object of arrays of different strings.',
  ],
  type: [
    (value) => TYPES.includes(value) || isTypes(value),
    `must be one of ${TYPES.join(', ')}, or an array of different ones.`,
  ],
  any: [() => true, ''],
};

const keywords = (kind: string, names: string) => names.split(' ').map((name) => [name, kind] as const);

/** Keywords that decide what is valid, by the form of their values. */
const CHECKED: ReadonlyMap<string, string> = new Map([
  ...keywords('schema', 'not if then else contains items additionalProperties propertyNames'),
  ...keywords('schema', 'unevaluatedProperties unevaluatedItems'),
  ...keywords('schemas', 'allOf anyOf oneOf prefixItems'),
  ...keywords('map', '$defs definitions properties patternProperties dependentSchemas'),
  ...keywords(
    'count',
    'maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties',
  ),
  ...keywords('number', 'maximum exclusiveMaximum minimum exclusiveMinimum'),
  ...keywords('divisor', 'multipleOf'),
  ...keywords('boolean', 'uniqueItems'),
  ...keywords('string', 'pattern $ref $anchor'),
  ...keywords('names', 'required'),
  ...keywords('requirements', 'dependentRequired'),
  ...keywords('type', 'type'),
  ...keywords('list', 'enum'),
  ...keywords('any', 'const'),
]);
/** Others of the draft, which are left out before a value is checked. */
const ANNOTATIONS: ReadonlyMap<string, string> = new Map([
  ...keywords('string', 'title description $comment $schema $id format contentEncoding contentMediaType'),
  ...keywords('boolean', 'deprecated readOnly writeOnly'),
  ...keywords('list', 'examples'),
]);
const REFUSED = new Set([
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
]);

/** Collects what is wrong with a schema, and copies what decides about values. */
class Reader {
  readonly problems: Problem[] = [];
  readonly #refs: { path: string; ref: string }[] = [];
  /** What a reference may name. */
  readonly #targets = new Set(['#']);
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  #refuse(path: string, message: string): void {
    this.problems.push({ field: this.#root + path, message });
  }

  schema(value: unknown, path: string): unknown {
    this.#targets.add(`#${path}`);
    if (typeof value === 'boolean') return value;
    if (!isObject(value)) {
      this.#refuse(path, 'must be a schema: an object, true or false.');
      return true;
    }
    // `fromEntries`, because a name can be __proto__.
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, each]) => {
        const checked = this.#keyword(name, each, pointerTo(path, name), path);
        return checked === undefined ? [] : [[name, checked]];
      }),
    );
  }

  #keyword(name: string, value: unknown, path: string, parent: string): unknown {
    const kind = CHECKED.get(name);
    if (REFUSED.has(name))
      this.#refuse(path, 'is not supported. Use $ref with a reference within the schema.');
    if (kind === 'schema') return this.schema(value, path);
    if (kind === 'schemas') {
      if (Array.isArray(value) && value.length > 0)
        return value.map((each, at) => this.schema(each, pointerTo(path, at)));
      this.#refuse(path, 'must be an array of at least one schema.');
    } else if (kind === 'map') {
      if (isObject(value)) return this.#map(name, value, path);
      this.#refuse(path, 'must be an object of schemas.');
    } else {
      const [isValid, message] = forms[kind ?? ANNOTATIONS.get(name) ?? 'any'] as (typeof forms)[string];
      if (!isValid(value)) this.#refuse(path, message);
      else this.#text(name, value as string, path, parent);
      return kind && value;
    }
    return undefined;
  }

  #map(name: string, value: Json, path: string) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        const at = pointerTo(path, key);
        if (name === 'patternProperties') this.#pattern(key, at);
        return [key, this.schema(each, at)];
      }),
    );
  }

  #text(name: string, value: string, path: string, parent: string): void {
    if (name === 'pattern') this.#pattern(value, path);
    if (name === '$ref') this.#refs.push({ path, ref: value });
    if (name === '$anchor') this.#targets.add(`#${value}`);
    if (name === '$schema' && value.replace(/#$/, '') !== DRAFT) this.#refuse(path, `must be ${DRAFT}.`);
    if (name === '$id' && parent !== '') this.#refuse(path, 'is supported only at the top of the schema.');
  }

  #pattern(pattern: string, path: string): void {
    const problem = patternProblem(pattern);
    if (problem) this.#refuse(path, problem);
  }

  /** Call it when the whole schema was read. */
  resolve(): void {
    for (const { path, ref } of this.#refs) {
      let target = ref;
      try {
        target = decodeURIComponent(ref);
      } catch {}
      if (!target.startsWith('#')) this.#refuse(path, 'must start with #. Schemas are never downloaded.');
      else if (!this.#targets.has(target))
        this.#refuse(path, 'must name a schema within this one, such as #/$defs/name.');
    }
  }
}

/** What is wrong with a schema, by the meta-schema and our limits; fields are `root` and a JSON Pointer. */
export const schemaProblems = (schema: unknown, root: string): Problem[] => readSchema(schema, root).problems;

const readSchema = (schema: unknown, root = '') => {
  const reader = new Reader(root);
  const checked = reader.schema(schema, '');
  reader.resolve();
  return { checked, problems: reader.problems };
};

const LIMIT_MS = 100;
const MAX_PROBLEMS = 20;

/** A keyword that fails because a subschema does, which has its own problem. */
const WRAPPERS = new Set(
  '$ref allOf if properties patternProperties additionalProperties unevaluatedProperties propertyNames dependentSchemas prefixItems items unevaluatedItems'.split(
    ' ',
  ),
);
/** The problems of the alternatives follow those of these. */
const ALTERNATIVES = new Set(['anyOf', 'oneOf', 'not', 'contains']);

const messageOf = (keyword: string, error: string): string => {
  if (keyword === 'false') return 'is not allowed by the config schema.';
  const [, expected] = error.split('. Expected "');
  if (keyword === 'type' && expected) return `must be ${expected.slice(0, -2).replaceAll('", "', ' or ')}.`;
  const [, missing] = error.split('required property "');
  if (keyword === 'required' && missing)
    return `must have the property ${missing.slice(0, -2).slice(0, 200).toWellFormed()}.`;
  return `does not match \`${keyword}\` of the config schema.`;
};

/** Why a value does not match a valid schema. Checking ends after a limited time, whatever the schema and the value. */
export const mismatches = (value: unknown, schema: unknown, root: string): Problem[] => {
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
    problems.push({ field: root + pointer, message: messageOf(keyword, error) });
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
