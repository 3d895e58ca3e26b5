import { readFileSync, statSync } from 'node:fs';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
}

/** Budget for the scripts of a first load, compressed with Brotli. */
export const MAX_BYTES = 150_000;

const dist = new URL('dist/', import.meta.url);

/** The compressed script bytes that each page needs before it is shown. Chunks that a page loads later do not count. */
export const scriptSizes = (): [page: string, bytes: number][] => {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(new URL('.vite/manifest.json', dist), 'utf8'),
  );
  const needed = (name: string, found = new Set<string>()): Set<string> => {
    const chunk = manifest[name];
    if (!chunk || found.has(chunk.file)) return found;
    found.add(chunk.file);
    for (const each of chunk.imports ?? []) needed(each, found);
    return found;
  };
  const sizeOf = (files: Iterable<string>): number =>
    [...files].reduce((sum, file) => sum + statSync(new URL(`${file}.br`, dist)).size, 0);
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? '';
  return Object.keys(manifest)
    .filter((name) => name.startsWith('src/pages/') && name.endsWith('/page.tsx'))
    .map((name) => [name, sizeOf(needed(name, needed(entry)))]);
};

if (import.meta.main) {
  const sizes = scriptSizes();
  for (const [page, bytes] of sizes) console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  ${page}`);
  const heavy = sizes.filter(([, bytes]) => bytes > MAX_BYTES);
  if (heavy.length > 0) {
    console.error(`More than ${MAX_BYTES / 1000} kB: ${heavy.map(([page]) => page).join(', ')}`);
    process.exit(1);
  }
}
