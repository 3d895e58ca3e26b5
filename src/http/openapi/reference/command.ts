import { bodyExample, parameterExample } from './example.ts';
import { formatJson } from './html.ts';
import type { ApiOperation } from './model.ts';
import type { Variants } from './schema.ts';

const SHOWN_PARAMETERS = ['limit', 'search'];

const shellQuote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const pathWithQuery = (variants: Variants, { path, parameters }: ApiOperation): string => {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return parameter ? encodeURIComponent(parameterExample(variants, parameter)) : whole;
  });
  const query = parameters
    .filter((each) => each.in === 'query' && (each.required || SHOWN_PARAMETERS.includes(each.name)))
    .map(
      (each) => `${encodeURIComponent(each.name)}=${encodeURIComponent(parameterExample(variants, each))}`,
    );
  return filled + (query.length > 0 ? `?${query.join('&')}` : '');
};

const bodyLines = (variants: Variants, operation: ApiOperation): string[] => {
  const { body } = operation;
  if (!body) return [];
  const content =
    body.type === 'application/json'
      ? `-d ${shellQuote(formatJson(bodyExample(variants, operation, body.schema), '  '))}`
      : `--data-binary @file.${body.type.replace(/^.*\//, '')}`;
  return [`-H "Content-Type: ${body.type}"`, content];
};

/** A command for a POSIX shell in which ROSTER_URL and ROSTER_KEY are set. */
export const curlExample = (variants: Variants, operation: ApiOperation): string => {
  const { method, body, open } = operation;
  const defaultMethod = body ? 'POST' : 'GET';
  return [
    `curl ${method === defaultMethod ? '' : `-X ${method} `}"$ROSTER_URL${pathWithQuery(variants, operation)}"`,
    ...(open ? [] : ['-H "Authorization: Bearer $ROSTER_KEY"']),
    ...bodyLines(variants, operation),
  ].join(' \\\n  ');
};
