import type { IncomingMessage } from 'node:http';
import type { AnyRoute } from './route.ts';
import type { RouteMatch } from './router.ts';
import { accepts, fileRoute, readFolder, type StaticFile, staticFile } from './static-files.ts';

/** The dashboard as it was built: the files that browsers load, and one page for all its addresses. */
export interface DashboardFiles {
  readonly home: AnyRoute;
  /** What answers an address that the service itself does not know. */
  find(request: Pick<IncomingMessage, 'method' | 'headers'>, path: string): RouteMatch | undefined;
}

/** Nothing is run, loaded or asked but from here. Scripts may set styles: the editor and the menus do. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SAFETY = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Below this address the build puts a digest of its content into the name of every file. */
const HASHED = '/assets/';
const FOREVER = 'public, max-age=31536000, immutable';

/** Addresses of programs and of files: what is unknown below them is no page. */
const NO_PAGE = /^\/(?:v1|api|dashboard\/api|hooks|docs|healthz|readyz|metrics|assets)(?:\/|$)/;

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Roster</title>
<p>The dashboard is not built. Run <code>npm run build</code> in the folder of Roster, and start Roster again.</p>
<p>The API works without it. Its reference is at <a href="/docs">/docs</a>.</p>
</html>
`;

const matchOf = (path: string, route: AnyRoute): RouteMatch => ({
  methods: new Map([['GET', { method: 'GET', path, route }]]),
  params: {},
});

const assetMatch = ([address, file]: readonly [string, StaticFile]): [string, RouteMatch] => {
  const isHashed = address.startsWith(HASHED);
  const caching = { 'Cache-Control': isHashed ? FOREVER : 'no-cache', Vary: 'Accept-Encoding' };
  return [
    address,
    matchOf(isHashed ? `${HASHED}:file` : address, fileRoute(file, { ...SAFETY, ...caching })),
  ];
};

/** Reads the build that lies in a folder. */
export const loadDashboardFiles = (folder: string): DashboardFiles => {
  const files = readFolder(folder);
  const index = files.get('/index.html') ?? staticFile('text/html; charset=utf-8', NOT_BUILT);
  files.delete('/index.html');
  const home = fileRoute(index, { ...SAFETY, 'Cache-Control': 'no-cache', Vary: 'Accept, Accept-Encoding' });
  const assets = new Map([...files].map(assetMatch));
  const page = matchOf('/:page', home);
  return {
    home,
    find: ({ method, headers }, path) => {
      const asset = assets.get(path);
      if (asset) return asset;
      const isPage = method === 'GET' || method === 'HEAD';
      return isPage && accepts(headers.accept, 'text/html') && !NO_PAGE.test(path) ? page : undefined;
    },
  };
};
