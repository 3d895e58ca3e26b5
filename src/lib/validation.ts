import { attempt, invalid, MAX_PROBLEMS, type Problem } from './errors.ts';
import * as s from './schemas.ts';
import { countCharacters, isLongerThan, isShorterThan, isStorable } from './text.ts';
import { parseTime, TIME_PATTERN } from './time.ts';

/** A field of a request: its JSON Schema for the OpenAPI document, and a reader that validates a value. If the reader
 *  reports a problem, its result is not used. */
export interface Field<T> {
  readonly schema: s.JsonSchema;
  readonly read: (value: unknown, field: string, problems: Problem[]) => T;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
type Values<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

export interface ObjectReader<T> {
  readonly schema: s.JsonSchema;
  readonly fields: Fields;
  /** Throws a 400 error that lists every invalid field. */
  readonly read: (value: Readonly<Record<string, unknown>>) => T;
}

const kindOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;

/** Limits the length of a caller's field name in a response. */
const shorten = (name: string) => (name.length > 100 ? `${name.slice(0, 100).toWellFormed()}…` : name);

/** A field whose valid values are used as they are, or as `convert` returns them. `problemOf` returns what is wrong with a value, if
 *  anything. */
export const checked = <T>(
  schema: s.JsonSchema,
  problemOf: (value: unknown) => string | undefined,
  convert = (value: unknown) => value as T,
): Field<T> => ({
  schema,
  read: (value, field, problems) => {
    const message = problemOf(value);
    if (message) problems.push({ field, message });
    return convert(value);
  },
});

/** Text of `min` to `max` characters. `check` returns an additional problem, if any. */
export const text = (limits: {
  min?: number;
  max?: number;
  schema?: s.JsonSchema;
  check?: (text: string) => string | undefined;
}): Field<string> => {
  const { min = 0, max = Number.POSITIVE_INFINITY } = limits;
  const schema = {
    type: 'string',
    ...(min > 0 && { minLength: min }),
    ...(max < Number.POSITIVE_INFINITY && { maxLength: max }),
    ...limits.schema,
  };
  return checked(schema, (value) => {
    if (typeof value !== 'string') return `must be a string, not ${kindOf(value)}.`;
    if (!isStorable(value)) return 'must not contain U+0000 or half of a surrogate pair.';
    if (isShorterThan(value, min)) return `must have at least ${min} character${min === 1 ? '' : 's'}.`;
    if (isLongerThan(value, max)) {
      return `must have at most ${max} characters; this has ${countCharacters(value)}.`;
    }
    return limits.check?.(value);
  });
};

export const nullable = <T>(field: Field<T>): Field<T | null> => ({
  schema: s.nullable(field.schema),
  read: (value, name, problems) => (value === null ? null : field.read(value, name, problems)),
});

export const described = <T>(field: Field<T>, description: string): Field<T> => ({
  ...field,
  schema: { ...field.schema, description },
});

/** A query parameter whose empty value counts as absent. */
export const optional = <T>({ schema, read }: Field<T>, description: string): Field<T | undefined> => {
  const { description: _, ...rest } = schema;
  const values = schema.enum as readonly unknown[] | undefined;
  return {
    schema: {
      description,
      ...(values ? { ...rest, enum: [...values, ''] } : { anyOf: [rest, { type: 'string', maxLength: 0 }] }),
    },
    read: (value, name, problems) => (value === '' ? undefined : read(value, name, problems)),
  };
};

export const boolean = (schema: s.JsonSchema = {}): Field<boolean> =>
  checked({ type: 'boolean', ...schema }, (value) =>
    typeof value === 'boolean' ? undefined : `must be true or false, not ${kindOf(value)}.`,
  );

/** Removes duplicates and keeps the order of first occurrences. JSON Schema cannot count different entries, so the maximum
 *  is in the description. */
export const uniqueStrings = (
  item: Field<string>,
  max: number,
  { description, ...schema }: { readonly description?: string; readonly minItems?: number } = {},
): Field<string[]> => ({
  schema: {
    type: 'array',
    items: item.schema,
    ...schema,
    description: [description, item.schema.enum ? undefined : `At most ${max} different entries.`]
      .filter(Boolean)
      .join(' '),
  },
  read: (value, field, problems) => {
    if (!Array.isArray(value)) {
      problems.push({ field, message: `must be an array of strings, not ${kindOf(value)}.` });
      return [];
    }
    const distinct = new Set<string>();
    for (let at = 0; at < value.length && problems.length < MAX_PROBLEMS; at++) {
      distinct.add(item.read(value[at], `${field}[${at}]`, problems));
    }
    if (value.length < (schema.minItems ?? 0)) {
      problems.push({ field, message: `must have at least ${schema.minItems} entry.` });
    }
    if (distinct.size > max && problems.length < MAX_PROBLEMS) {
      problems.push({
        field,
        message: `must have at most ${max} different entries; this has ${distinct.size}.`,
      });
    }
    return [...distinct];
  },
});

export const oneOf = <const T extends string>(values: readonly T[], hint = ''): Field<T> => {
  const message = `must be one of ${values.join(', ')}.`;
  return checked({ type: 'string', enum: values }, (value) =>
    values.includes(value as T) ? undefined : message + hint,
  );
};

/** Names in a query, separated by commas. */
export const nameList = <const T extends string>(
  values: readonly T[],
  { what, max, description }: { what: string; max: number; description: string },
): Field<T[]> => {
  const name = `(${values.join('|').replaceAll('.', '\\.')})`;
  const schema = { type: 'string', maxLength: max, pattern: `^${name}(,${name})*$`, description };
  const message = `must be ${what}, separated by commas: ${values.join(', ')}.`;
  const namesIn = (value: unknown) =>
    (typeof value === 'string' && value.length <= max ? value.split(',') : ['']) as T[];
  return checked(
    schema,
    (value) => (namesIn(value).every((each) => values.includes(each)) ? undefined : message),
    namesIn,
  );
};

/** Different texts in a query, separated by commas. */
export const textList = (what: string, max: number, description: string): Field<string[]> => ({
  schema: s.string(description),
  read: (value, field, problems) => {
    const texts = new Set((text({}).read(value, field, problems) ?? '').split(',').filter(Boolean));
    if (texts.size > max)
      problems.push({ field, message: `must have at most ${max} ${what}; this has ${texts.size}.` });
    return [...texts];
  },
});

export type Scalar = string | number | boolean;

/** A value that instructions can contain; null clears it. */
export const scalar = (max: number): Field<Scalar | null> => {
  const schema = { type: ['string', 'number', 'boolean', 'null'], maxLength: max };
  const other = checked<Scalar | null>(schema, (value) =>
    value === null || typeof value === 'boolean' || Number.isFinite(value)
      ? undefined
      : `must be text, a number, true, false or null, not ${kindOf(value)}.`,
  );
  const asText = text({ max });
  const fieldOf = (value: unknown) => (typeof value === 'string' ? asText : other);
  return { schema, read: (value, ...rest) => fieldOf(value).read(value, ...rest) };
};

export const listOf = <T>(
  item: Field<T>,
  { max, ...schema }: { readonly max: number; readonly description?: string },
): Field<T[]> => ({
  schema: { type: 'array', items: item.schema, maxItems: max, ...schema },
  read: (value, field, problems) => {
    if (!Array.isArray(value) || value.length > max) {
      const found = Array.isArray(value) ? `; this has ${value.length}` : `, not ${kindOf(value)}`;
      problems.push({ field, message: `must be an array of at most ${max} entries${found}.` });
      return [];
    }
    const items: T[] = [];
    for (let at = 0; at < value.length && problems.length < MAX_PROBLEMS; at++)
      items.push(item.read(value[at], `${field}[${at}]`, problems));
    return items;
  },
});

export const mapOf = <T>(name: Field<string>, value: Field<T>, max: number): Field<Record<string, T>> => ({
  schema: {
    type: 'object',
    propertyNames: name.schema,
    additionalProperties: value.schema,
    maxProperties: max,
  },
  read: (map, field, problems) => {
    if (!isObject(map)) {
      problems.push({ field, message: `must be an object, not ${kindOf(map)}.` });
      return {};
    }
    const entries = Object.entries(map);
    if (entries.length > max) problems.push({ field, message: `must have at most ${max} entries.` });
    const read = (key: string, each: unknown) => {
      name.read(key, `${field} name`, problems);
      return [key, value.read(each, `${field}.${shorten(key)}`, problems)] as const;
    };
    const result: (readonly [string, T])[] = [];
    for (const [key, each] of entries.slice(0, max)) {
      if (problems.length < MAX_PROBLEMS) result.push(read(key, each));
    }
    return Object.fromEntries(result);
  },
});

const TIME_EXAMPLE = '2026-01-31T09:30:00Z';

/** In a query, the plus sign of a time zone arrives as a space unless it is escaped. */
const hasUnescapedPlus = (value: unknown): boolean =>
  typeof value === 'string' && parseTime(value.replace(' ', '+')) !== undefined;

/** A time with a time zone, converted to UTC. */
export const dateTime = (): Field<string> => {
  const momentOf = (value: unknown) => (typeof value === 'string' && parseTime(value)) || '';
  return checked(
    { ...s.dateTime('A time with its time zone.'), pattern: TIME_PATTERN },
    (value) => {
      if (momentOf(value)) return undefined;
      return hasUnescapedPlus(value)
        ? 'has a space where the time zone needs a plus sign. In a URL, write %2B for a plus sign.'
        : `must be a valid date and time with a time zone, for example ${TIME_EXAMPLE}.`;
    },
    momentOf,
  );
};

export const integer = (min: number, max: number, schema: s.JsonSchema = {}): Field<number> =>
  checked({ type: 'integer', minimum: min, maximum: max, ...schema }, (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `must be a whole number from ${min} to ${max}.`,
  );

export const queryInteger = (
  min: number,
  max: number,
  defaultValue: number,
  schema: s.JsonSchema = {},
): Field<number> => {
  // A query has texts, and the arguments of a tool have numbers.
  const numberOf = (value: unknown) =>
    (typeof value === 'number' || typeof value === 'string') && /^\d{1,16}$/.test(`${value}`)
      ? Number(value)
      : Number.NaN;
  const isInRange = (number: number) => number >= min && number <= max;
  const message = `must be a whole number from ${min} to ${max}, for example ${defaultValue}.`;
  return checked(
    { type: 'integer', minimum: min, maximum: max, default: defaultValue, ...schema },
    (value) => (isInRange(numberOf(value)) ? undefined : message),
    numberOf,
  );
};

/** Fields that the service sets. A caller may send them back with any value. */
const IGNORED: s.JsonSchema = { readOnly: true, description: 'Set by the service. Ignored in a request.' };

interface ObjectOptions<R extends string> {
  readonly required?: readonly R[];
  /** Fields that are set by the server; a caller may send them back without effect. */
  readonly ignored?: readonly string[];
  /** The name of the schema in the OpenAPI document. */
  readonly title?: string;
  /** Further keywords of the schema, for what `check` refuses. */
  readonly schema?: s.JsonSchema;
  /** Whether any other field is ignored instead of rejected. */
  readonly ignoresOthers?: boolean;
  /** The problems of valid fields together. */
  readonly check?: (value: Readonly<Record<string, unknown>>) => readonly Problem[];
}

/** An object of known fields. Any other field is usually rejected, so that a typo never passes silently. */
export const object = <F extends Fields, R extends keyof F & string = never>(
  fields: F,
  { required = [], ignored = [], title, schema, ignoresOthers = false, check }: ObjectOptions<R> = {},
): ObjectReader<Partial<Values<F>> & Pick<Values<F>, R>> & { readonly fields: F } => {
  const known = new Map<string, Field<unknown>>(Object.entries(fields));
  const skipped = new Set<string>(ignored);
  const names = [...known.keys()].join(', ');
  const properties = [...known].map(([name, field]) => [name, field.schema] as const);
  return {
    fields,
    schema: {
      ...(title && { title }),
      type: 'object',
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries([...properties, ...ignored.map((name) => [name, IGNORED] as const)]),
      additionalProperties: ignoresOthers,
      ...schema,
    },
    read: (value) => {
      const problems: Problem[] = [];
      const result: Record<string, unknown> = {};
      for (const name of Object.keys(value)) {
        if (problems.length >= MAX_PROBLEMS) break;
        const field = known.get(name);
        if (field) result[name] = field.read(value[name], name, problems);
        else if (!ignoresOthers && !skipped.has(name)) {
          problems.push({
            field: shorten(name),
            message: `is not a field of this request. Allowed fields: ${names}.`,
          });
        }
      }
      for (const name of required) {
        if (!Object.hasOwn(value, name) && problems.length < MAX_PROBLEMS)
          problems.push({ field: name, message: 'is required.' });
      }
      if (check && problems.length === 0) problems.push(...check(result));
      if (problems.length > 0) throw invalid(problems);
      return result as Partial<Values<F>> & Pick<Values<F>, R>;
    },
  };
};

/** A query of known parameters that ignores all others. */
export const only = <F extends Fields>(fields: F) => object(fields, { ignoresOthers: true });

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object within a body, whose problems name the path of the field. */
export const nested = <T>(reader: ObjectReader<T>): Field<T> => ({
  schema: reader.schema,
  read: (value, field, problems) => {
    if (!isObject(value)) {
      problems.push({ field, message: 'must be an object.' });
      return {} as T;
    }
    const read = attempt(() => reader.read(value));
    if ('value' in read) return read.value;
    for (const each of read.error.details as Problem[])
      problems.push({ ...each, field: `${field}.${each.field}` });
    return {} as T;
  },
});

/** The schemas of fields, for a response that has them as they were sent. */
export const schemasOf = (fields: Fields): Record<string, s.JsonSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
