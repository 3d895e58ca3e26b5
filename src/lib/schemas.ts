import type { JsonSchema } from './validation.ts';

/* Schemas of the members of responses. */

const described = (schema: JsonSchema, description: string | undefined): JsonSchema =>
  description === undefined ? schema : { ...schema, description };

export const stringSchema = (description?: string) => described({ type: 'string' }, description);
export const flagSchema = (description?: string) => described({ type: 'boolean' }, description);
export const integerSchema = (description?: string) => described({ type: 'integer' }, description);
export const countSchema = (description?: string) => described({ type: 'integer', minimum: 0 }, description);
export const enumSchema = (values: readonly string[], description?: string) =>
  described({ type: 'string', enum: values }, description);
export const listSchema = (items: JsonSchema, description?: string) =>
  described({ type: 'array', items }, description);
/** A value that can be null. */
export const orNull = (schema: JsonSchema, description?: string): JsonSchema =>
  described({ oneOf: [schema, { type: 'null' }] }, description);
export const nullableText = (description: string): JsonSchema => ({ type: ['string', 'null'], description });
