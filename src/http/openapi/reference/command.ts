import { bodyExample, parameterExample } from './example.ts';
import { layOut } from './html.ts';
import type { Operation } from './model.ts';
import type { Variants } from './schema.ts';

/** Optional parameters that an example shows. */
const SHOWN = ['limit', 'search'];

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const addressOf = (variants: Variants, { path, parameters }: Operation): string => {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return parameter ? encodeURIComponent(parameterExample(variants, parameter)) : whole;
  });
  const query = parameters
    .filter((each) => each.in === 'query' && (each.required || SHOWN.includes(each.name)))
    .map(
      (each) => `${encodeURIComponent(each.name)}=${encodeURIComponent(parameterExample(variants, each))}`,
    );
  return filled + (query.length > 0 ? `?${query.join('&')}` : '');
};

const bodyLines = (variants: Variants, operation: Operation): string[] => {
  const { body } = operation;
  if (!body) return [];
  const content =
    body.type === 'application/json'
      ? `-d ${quoted(layOut(bodyExample(variants, operation, body.schema), '  '))}`
      : `--data-binary @file.${body.type.replace(/^.*\//, '')}`;
  return [`-H "Content-Type: ${body.type}"`, content];
};

/** A command that calls the operation, for a POSIX shell in which ROSTER_URL and ROSTER_KEY are set. */
export const curlExample = (variants: Variants, operation: Operation): string => {
  const { method, body, open } = operation;
  const implied = body ? 'POST' : 'GET';
  return [
    `curl ${method === implied ? '' : `-X ${method} `}"$ROSTER_URL${addressOf(variants, operation)}"`,
    ...(open ? [] : ['-H "Authorization: Bearer $ROSTER_KEY"']),
    ...bodyLines(variants, operation),
  ].join(' \\\n  ');
};
