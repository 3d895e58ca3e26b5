import { readdirSync, readFileSync } from 'node:fs';

const sources = new URL('../../sdk/src/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, sources), 'utf8');

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The client's members and their classes, such as `bulk_jobs` and `BulkJobs`. */
export const clientMembers = (): [member: string, className: string][] =>
  [...read('client.ts').matchAll(/this\.(\w+) = new (\w+)\(transport\);/g)].map(
    ([, member = '', name = '']) => [snakeCase(member), name],
  );

/** The class and method of each operation, which the TypeScript client names: the first method that has it in its types. */
export const methodNames = (): Map<string, { readonly className: string; readonly method: string }> => {
  const found = new Map<string, { className: string; method: string }>();
  for (const file of readdirSync(new URL('resources/', sources)))
    for (const text of read(`resources/${file}`)
      .split(/^export class /m)
      .slice(1)) {
      const className = /^\w+/.exec(text)?.[0] ?? '';
      for (const method of text.split(/^ {2}(?=(?:async )?\*?\w+\()/m).slice(1)) {
        const operation = /<'(\w+)'>/.exec(method)?.[1];
        const name = /\w+(?=\()/.exec(method)?.[0];
        if (operation && name && !found.has(operation))
          found.set(operation, { className, method: snakeCase(name) });
      }
    }
  return found;
};
