import { readdirSync, statSync } from 'node:fs';

/* Plain JavaScript: for a single source in TypeScript, Node would load what strips the types, 40 MB. */

/** What `npm run build` made of the sources: one file for each script, and what they share. Five hundred modules take 80 MB
 *  more and twice as long to start. */
const BUILT = new URL('../dist/', import.meta.url);
const SOURCES = new URL('.', import.meta.url);

/** When a file came to lie where it does: what is unpacked keeps the time of its last change, not that of its arrival.
 *  @param {URL} file */
const arrivedAt = (file) => statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;

/** Whether a built script is as new as every source and the packages, so that nobody who changes one runs the code of
 *  yesterday.
 *  @param {string} name */
export const isFresh = (name) => {
  const built = arrivedAt(new URL(`${name}.js`, BUILT));
  if (built === 0) return false;
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  return [...files, '../package-lock.json'].every((file) => arrivedAt(new URL(file, SOURCES)) <= built);
};

/** Where to import a script from: as it was built, or its source.
 *  @param {string} name
 *  @param {string} source */
export const scriptOf = (name, source) =>
  (isFresh(name) ? new URL(`${name}.js`, BUILT) : new URL(source, SOURCES)).href;
