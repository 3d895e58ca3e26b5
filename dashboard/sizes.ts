import { readFileSync, statSync } from 'node:fs';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
}

/** Budget for the scripts of a first load, compressed with Brotli. */
export const MAX_BYTES = 162_000;
/** Each file costs a request with 700 bytes of headers. */
export const MAX_FILES = 9;

interface Scripts {
  readonly page: string;
  readonly files: number;
  readonly bytes: number;
}

const dist = new URL('dist/', import.meta.url);

/** The scripts that each page needs before it is shown. Chunks that a page loads later do not count. */
export const pageScripts = (): Scripts[] => {
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
  /** The build does not compress the smallest files. */
  const sentSize = (file: string): number =>
    (statSync(new URL(`${file}.br`, dist), { throwIfNoEntry: false }) ?? statSync(new URL(file, dist))).size;
  const sizeOf = (files: Iterable<string>): number =>
    [...files].reduce((sum, file) => sum + sentSize(file), 0);
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? '';
  return Object.keys(manifest)
    .filter((name) => name.startsWith('src/pages/') && name.endsWith('/page.tsx'))
    .map((page) => {
      const files = needed(page, needed(entry));
      return { page, files: files.size, bytes: sizeOf(files) };
    });
};

if (import.meta.main) {
  const all = pageScripts();
  for (const { page, files, bytes } of all)
    console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB in ${String(files).padStart(2)} files  ${page}`);
  const heavy = all.filter(({ files, bytes }) => bytes > MAX_BYTES || files > MAX_FILES);
  if (heavy.length > 0) {
    const limits = `${MAX_BYTES / 1000} kB or ${MAX_FILES} files`;
    console.error(`More than ${limits}: ${heavy.map(({ page }) => page).join(', ')}`);
    process.exit(1);
  }
}
