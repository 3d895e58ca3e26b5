import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const WORTH_IT = /\.(js|css|html|svg|json|txt)$/;

/** Writes `.br` and `.gz` next to every file that compresses well, so that the service never compresses while
 *  serving. */
export const compressFolder = (folder: string): void => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !WORTH_IT.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const content = readFileSync(path);
    const packed = {
      br: brotliCompressSync(content, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
      }),
      gz: gzipSync(content, { level: 9 }),
    };
    for (const [suffix, bytes] of Object.entries(packed))
      if (bytes.length < content.length) writeFileSync(`${path}.${suffix}`, bytes);
  }
};
