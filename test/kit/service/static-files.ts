import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { readFolder } from '../../../src/http/pipeline/static-files.ts';
import { createLog } from '../../../src/lib/log.ts';
import { startService } from '../../../src/wiring/service.ts';
import { engines } from '../database/engines.ts';
import { requestBytes, sendBytes } from '../http/raw-connection.ts';
import { type Reply, testConfig } from './test-service.ts';

export const INDEX = `<!doctype html><title>Roster</title>${'<p>A page.</p>'.repeat(50)}`;
export const SCRIPT = `export const text = '${'script '.repeat(100)}';`;
export const REFERENCE = '<!doctype html><title>The API reference</title>';
export const STYLE = 'body { margin: 0 }';
export const SECRET = 'not public';
/** The Accept header of a browser that opens a page. */
export const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Writes a minimal build, and files around it that must not be served. */
export const writeBuild = (folder: string): string => {
  const dist = join(folder, 'dist');
  mkdirSync(join(dist, 'assets'), { recursive: true });
  mkdirSync(join(dist, '.vite'));
  const put = (path: string, content: string, packed = false) => {
    writeFileSync(join(dist, path), content);
    if (!packed) return;
    writeFileSync(join(dist, `${path}.br`), brotliCompressSync(content));
    writeFileSync(join(dist, `${path}.gz`), gzipSync(content));
  };
  put('index.html', INDEX, true);
  put('assets/app-Ab12.js', SCRIPT, true);
  put('assets/app-Cd34.css', STYLE);
  put('assets/sans-Ef56.woff2', 'a font');
  put('reference.html', REFERENCE, true);
  put('assets/large-Gh78.js', SCRIPT, true);
  rmSync(join(dist, 'assets/large-Gh78.js'));
  put('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  put('.vite/manifest.json', SECRET);
  put('.env', SECRET);
  writeFileSync(join(folder, 'secret.txt'), SECRET);
  symlinkSync(join(folder, 'secret.txt'), join(dist, 'linked.txt'));
  return dist;
};

export interface StaticService {
  readonly folder: string;
  /** Every logged line. */
  readonly log: string[];
  /** Sends exactly these headers, and the path without normalization. */
  request(path: string, headers?: Record<string, string>, method?: string): Promise<Reply>;
  readonly url: string;
  stop(): Promise<void>;
}

/** A service with a minimal build, or with the build in `dist`. */
export const startStaticService = async (dist?: string): Promise<StaticService> => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-pages-'));
  const database = await engines.sqlite();
  const lines: string[] = [];
  const log = createLog({ level: 'info', pretty: false, write: (text) => lines.push(text) });
  const config = testConfig(database, { logLevel: 'info', failureLimit: { quota: 60, windowMs: 60_000 } });
  const { url, stop } = await startService(config, log, () => readFolder(dist ?? writeBuild(folder)));
  return {
    folder,
    url,
    log: lines,
    request: (path, headers = {}, method = 'GET') =>
      sendBytes(url, requestBytes(method, path, { headers: { authorization: null, ...headers } })),
    stop: async () => {
      await stop();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
