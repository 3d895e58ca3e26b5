/* JSON Schemas of the members of responses. Import as `s`. */

export type JsonSchema = Readonly<Record<string, unknown>>;

const described = (schema: JsonSchema, description: string | undefined): JsonSchema =>
  description === undefined ? schema : { ...schema, description };

export const string = (description?: string) => described({ type: 'string' }, description);
export const boolean = (description?: string) => described({ type: 'boolean' }, description);
export const integer = (description?: string) => described({ type: 'integer' }, description);
export const count = (description?: string) => described({ type: 'integer', minimum: 0 }, description);
export const dateTime = (description: string) =>
  described({ type: 'string', format: 'date-time' }, description);
export const oneOf = (values: readonly string[], description?: string) =>
  described({ type: 'string', enum: values }, description);
export const list = (items: JsonSchema, description?: string) =>
  described({ type: 'array', items }, description);
/** An object with any names and these values. */
export const mapOf = (values: JsonSchema, description?: string) =>
  described({ type: 'object', additionalProperties: values }, description);
export const nullableString = (description: string) => described({ type: ['string', 'null'] }, description);
export const orNull = (schema: JsonSchema, description?: string) =>
  described({ oneOf: [schema, { type: 'null' }] }, description);

/** An input field's schema that also allows null. A named schema stays a reference. */
export const nullable = (schema: JsonSchema): JsonSchema => {
  if (schema.title !== undefined) return orNull(schema);
  const values = schema.enum as readonly unknown[] | undefined;
  return { ...schema, type: [schema.type, 'null'], ...(values && { enum: [...values, null] }) };
};

/** An object that has this member, whatever its value. */
export const having = (name: string): JsonSchema => ({
  type: 'object',
  required: [name],
  properties: { [name]: {} },
});

/** A response object with exactly these properties. Some responses have the `optional` ones as well. */
export const object = (
  title: string,
  properties: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema => ({
  title,
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
  additionalProperties: false,
});
