/** The supported subset of JSON Schema. */
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

/** Resolves references and `allOf`, and returns one schema for each alternative of `oneOf`, `anyOf` and a list of types. */
export type Variants = (schema: Schema | boolean | undefined) => readonly Schema[];

const MAX_DEPTH = 16;

type Properties = NonNullable<Schema['properties']>;
const unions = new WeakMap<Properties, WeakMap<Properties, Properties>>();

/** Merges two sets of properties. Returns the same object for the same two, so that a recursive schema can be detected. */
const union = (one: Properties, other: Properties): Properties => {
  const known = unions.get(one) ?? new WeakMap<Properties, Properties>();
  const merged = known.get(other) ?? { ...one, ...other };
  unions.set(one, known.set(other, merged));
  return merged;
};

const mergeSchemas = (base: Schema, more: Schema): Schema => ({
  ...base,
  ...more,
  ...(base.properties && {
    properties: more.properties ? union(base.properties, more.properties) : base.properties,
  }),
  ...(base.required && { required: [...new Set([...base.required, ...(more.required ?? [])])] }),
});

/** Follows references inside `document`. A dangling or circular reference accepts anything. */
export const variantsOf = (document: unknown): Variants => {
  const lookUp = (reference: string): Schema => {
    let node = document;
    for (const part of reference.replace(/^#\/?/, '').split('/')) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      node = (node as Record<string, unknown> | undefined)?.[name];
    }
    return (node ?? {}) as Schema;
  };

  const expand = (schema: Schema | boolean | undefined, depth: number): readonly Schema[] => {
    if (typeof schema !== 'object' || depth > MAX_DEPTH) return [{}];
    if (schema.$ref) {
      const { $ref, ...own } = schema;
      return expand(mergeSchemas(lookUp($ref), own), depth + 1);
    }
    if (schema.allOf) {
      const { allOf, ...own } = schema;
      const whole = allOf.flatMap((part) => expand(part, depth + 1).slice(0, 1)).reduce(mergeSchemas, {});
      return expand(mergeSchemas(whole, own), depth + 1);
    }
    const { oneOf, anyOf, ...own } = schema;
    const options = oneOf ?? anyOf;
    if (options) return options.flatMap((option) => expand(mergeSchemas(own, option), depth + 1));
    return Array.isArray(own.type) ? own.type.map((type: string) => ({ ...own, type })) : [own];
  };

  return (schema) => expand(schema, 0);
};
