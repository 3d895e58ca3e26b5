/** The part of JSON Schema that the reference can show. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | boolean;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A schema without references and without `allOf`, and what `oneOf` and `anyOf` offer taken apart. */
export type Variants = (schema: Schema | boolean | undefined) => readonly Schema[];

const MAX_DEPTH = 16;

type Properties = NonNullable<Schema['properties']>;
const unions = new WeakMap<Properties, WeakMap<Properties, Properties>>();

/** The properties of both. The same two give the same object, by which a schema within itself is known again. */
const united = (one: Properties, other: Properties): Properties => {
  const known = unions.get(one) ?? new WeakMap<Properties, Properties>();
  const union = known.get(other) ?? { ...one, ...other };
  unions.set(one, known.set(other, union));
  return union;
};

const merged = (base: Schema, more: Schema): Schema => ({
  ...base,
  ...more,
  ...(base.properties && {
    properties: more.properties ? united(base.properties, more.properties) : base.properties,
  }),
  ...(base.required && { required: [...new Set([...base.required, ...(more.required ?? [])])] }),
});

/** Follows references inside `document`. One that leads nowhere, or back to itself, accepts anything. */
export const variantsOf = (document: unknown): Variants => {
  const lookUp = (reference: string): Schema => {
    let place = document;
    for (const part of reference.replace(/^#\/?/, '').split('/')) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      place = (place as Record<string, unknown> | undefined)?.[name];
    }
    return (place ?? {}) as Schema;
  };

  const expand = (schema: Schema | boolean | undefined, steps: number): readonly Schema[] => {
    if (typeof schema !== 'object' || steps > MAX_DEPTH) return [{}];
    if (schema.$ref) {
      const { $ref, ...own } = schema;
      return expand(merged(lookUp($ref), own), steps + 1);
    }
    if (schema.allOf) {
      const { allOf, ...own } = schema;
      const whole = allOf.flatMap((part) => expand(part, steps + 1).slice(0, 1)).reduce(merged, {});
      return expand(merged(whole, own), steps + 1);
    }
    const { oneOf, anyOf, ...own } = schema;
    const options = oneOf ?? anyOf;
    if (options) return options.flatMap((option) => expand(merged(own, option), steps + 1));
    return Array.isArray(own.type) ? own.type.map((type: string) => ({ ...own, type })) : [own];
  };

  return (schema) => expand(schema, 0);
};
