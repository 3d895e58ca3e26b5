import type { SchemaObject } from './schema.ts';

/** The schema that a new one starts with. */
export const NEW_SCHEMA = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
  }
}
`;

const schema = { $ref: '#' };
const schemas = { type: 'array', items: schema };
const map = { type: 'object', additionalProperties: schema };
const text = { type: 'string' };
const count = { type: 'integer' };
const number = { type: 'number' };
const flag = { type: 'boolean' };
const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** The keywords of a JSON Schema, to complete them. */
export const metaSchema: SchemaObject = {
  type: 'object',
  properties: {
    type: { enum: types },
    title: text,
    description: text,
    properties: map,
    required: { type: 'array', items: text },
    additionalProperties: { enum: [false, true] },
    items: schema,
    enum: { type: 'array' },
    const: {},
    default: {},
    examples: { type: 'array' },
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: number,
    minLength: count,
    maxLength: count,
    pattern: text,
    minItems: count,
    maxItems: count,
    uniqueItems: flag,
    anyOf: schemas,
    oneOf: schemas,
    allOf: schemas,
    not: schema,
    if: schema,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: schema,
    else: schema,
    patternProperties: map,
    propertyNames: schema,
    $ref: { type: 'string', examples: ['#/$defs/'] },
    $defs: map,
  },
};
