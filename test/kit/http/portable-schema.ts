import type { Json } from '../service/test-service.ts';

/** Keywords whose value is one schema, a list of schemas, or schemas by name (JSON Schema 2020-12). */
const ONE = ['items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames', 'contentSchema'];
const LISTS = ['oneOf', 'anyOf', 'allOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];
/** Generators know `additionalProperties: false`, and nothing like it elsewhere. */
const ONE_OR_FALSE = ['additionalProperties', 'unevaluatedProperties'];

/** A regular expression within what RE2, Python, Rust and ECMAScript with the flag `u` have in common. Returns what is
 *  outside of it. */
export const regexpProblem = (pattern: string): string | undefined => {
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    return (error as Error).message;
  }
  let isInClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const rest = pattern.slice(at);
    if (rest.startsWith('\\')) {
      const escaped = /^\\(?:[\^$\\.*+?()[\]{}|/\-dDwWsStnrf]|x[0-9a-fA-F]{2})/.exec(rest)?.[0];
      if (escaped === undefined) return `the escape ${rest.slice(0, 2)}`;
      at += escaped.length - 1;
    } else if (isInClass) {
      if (rest.startsWith('[')) return 'a bracket in a class that is not escaped';
      if (/^(?:&&|--|~~)/.test(rest)) return `the operator ${rest.slice(0, 2)} in a class`;
      isInClass = !rest.startsWith(']');
    } else if (rest.startsWith('[')) isInClass = true;
    else if (rest.startsWith('(?') && !rest.startsWith('(?:')) return `the group ${rest.slice(0, 4)}`;
    else if (/^[*+?}][+]/.test(rest)) return `the quantifier ${rest.slice(0, 2)}`;
  }
  return undefined;
};

/** Everything in a schema and its parts that generators and validators of other languages do not read. */
export const schemaProblems = (schema: unknown, at = '#'): string[] => {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return [`${at} is ${JSON.stringify(schema)}, not an object`];
  const { pattern, ...keywords } = schema as Json;
  const problem = typeof pattern === 'string' ? regexpProblem(pattern) : undefined;
  const parts = Object.entries(keywords).flatMap(([name, value]): [string, unknown][] => {
    if (ONE.includes(name)) return [[name, value]];
    if (ONE_OR_FALSE.includes(name)) return value === false ? [] : [[name, value]];
    if (LISTS.includes(name))
      return Object.entries(value as Json).map(([index, each]) => [`${name}/${index}`, each]);
    if (!MAPS.includes(name)) return [];
    return Object.entries(value as Json).map(([key, each]) => [`${name}/${key}`, each]);
  });
  return [
    ...(problem ? [`${at} has the pattern ${pattern}: ${problem}`] : []),
    ...parts.flatMap(([name, part]) => schemaProblems(part, `${at}/${name}`)),
  ];
};

/** The schemas of a document or of any other value: what is under `schema`, `schemas` and `inputSchema`. */
export const schemasIn = (value: unknown, at = ''): [string, unknown][] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    const place = `${at}/${name}`;
    if (/^(?:schema|inputSchema)$/.test(name)) return [[place, each]];
    if (name === 'schemas') return Object.entries(each as Json).map(([key, one]) => [`${place}/${key}`, one]);
    return schemasIn(each, place);
  });
};
