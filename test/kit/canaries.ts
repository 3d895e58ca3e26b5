import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Characters that nothing else uses. Each trigram of them is recognised in an index by any one of its characters. */
const rare = (() => {
  let count = 0;
  return () => String.fromCodePoint(0x20101 + 0x101 * count++);
})();
export const canary = (): string => Array.from({ length: 5 }, rare).join('');

/** A text of its own for each field that holds one. */
export const canaries = () => ({
  first_name: canary(),
  last_name: canary(),
  display_name: canary(),
  email: `${canary()}@example.com`,
  company: canary(),
  notes: canary().repeat(200),
  tags: [canary(), canary()],
});

export const charactersOf = (fields: ReturnType<typeof canaries>): string[] => {
  const characters = new Set(
    [...JSON.stringify(fields)].filter((each) => (each.codePointAt(0) ?? 0) > 0xffff),
  );
  assert.equal(characters.size, 40);
  return [...characters];
};

/** PostgreSQL removes and writes this cache of its catalog at any time. It contains no user data. */
const CATALOG_CACHE = 'pg_internal.init';

/** Which of the texts occur anywhere in the files of a folder, as bytes. */
export const tracesIn = (folder: string, texts: readonly string[]): string[] => {
  const files = readdirSync(folder)
    .filter((name) => name !== CATALOG_CACHE)
    .map((name) => [name, readFileSync(join(folder, name))] as const);
  return texts.flatMap((text) =>
    files.filter(([, bytes]) => bytes.includes(text)).map(([name]) => `${text} in ${name}`),
  );
};
