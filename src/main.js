import { readdirSync, statSync } from 'node:fs';

/* Plain JavaScript: for a single source in TypeScript, Node would load what strips the types, 40 MB. */

/** What `npm run build` made of the sources: one file for the service and one for its threads. Five hundred modules take
 *  80 MB more and twice as long to start. */
const BUILT = new URL('../dist/serve.js', import.meta.url);
const SOURCES = new URL('.', import.meta.url);

/** When a file came to lie where it does: what is unpacked keeps the time of its last change, not that of its arrival.
 *  @param {URL} file */
const arrivedAt = (file) => statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;

/** Whether the build is as new as every source and the packages, so that nobody who changes one runs the code of
 *  yesterday. */
const isFresh = () => {
  const built = arrivedAt(BUILT);
  if (built === 0) return false;
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  return [...files, '../package-lock.json'].every((file) => arrivedAt(new URL(file, SOURCES)) <= built);
};

await import(isFresh() ? BUILT.href : './serve.ts');
