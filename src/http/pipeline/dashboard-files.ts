import type { IncomingMessage } from 'node:http';
import type { AnyRoute } from './route.ts';
import type { RouteMatch } from './router.ts';
import { accepts, fileRoute, findFile, type StaticFile, staticFile } from './static-files.ts';

/** Only same-origin resources. Inline styles are allowed, because the editor and the menus set them. */
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

const SECURITY_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The build puts a content hash into the name of every file in this folder. */
const HASHED = '/assets/';
const FOREVER = 'public, max-age=31536000, immutable';
/** All others are revalidated at every visit. */
const REVALIDATED = 'no-cache';

/** Unknown paths with these prefixes are 404, not a page of the dashboard. */
const NO_PAGE = /^\/(?:v1|api|dashboard\/api|hooks|docs|healthz|readyz|metrics|assets)(?:\/|$)/;

const NOT_BUILT = `The dashboard and the API reference are not built. Run npm run build in the folder of Roster, then restart Roster.
The API works without them. Its OpenAPI document is at /openapi.json.
`;

const matchOf = (path: string, route: AnyRoute): RouteMatch => ({
  methods: new Map([['GET', { method: 'GET', path, route }]]),
  params: {},
});

/** Served at `/` and `/docs`, not under their file names. */
const PAGES: readonly string[] = ['/index.html', '/reference.html'];

/** Serves the files of the dashboard's build by path, and one page for all its paths. */
export const serveDashboard = (build: ReadonlyMap<string, Buffer>) => {
  const routeOf = (load: () => StaticFile, caching: string, vary = 'Accept-Encoding') =>
    fileRoute(load, { ...SECURITY_HEADERS, 'Cache-Control': caching, Vary: vary });
  const pageOf = (path: string, vary?: string) =>
    routeOf(
      () => findFile(build, path) ?? staticFile('text/plain; charset=utf-8', NOT_BUILT),
      REVALIDATED,
      vary,
    );
  const home = pageOf('/index.html', 'Accept, Accept-Encoding');
  const page = matchOf('/:page', home);
  /** Filled by requests: the routes of all files take 8 MB in each thread. */
  const assets = new Map<string, RouteMatch>();
  const findAsset = (path: string): RouteMatch | undefined => {
    const known = assets.get(path);
    const file = known || PAGES.includes(path) ? undefined : findFile(build, path);
    if (!file) return known;
    const isHashed = path.startsWith(HASHED);
    const asset = routeOf(() => file, isHashed ? FOREVER : REVALIDATED);
    const match = matchOf(isHashed ? `${HASHED}:file` : path, asset);
    assets.set(path, match);
    return match;
  };
  return {
    home,
    /** The API reference at `/docs`. */
    reference: pageOf('/reference.html'),
    /** The response to a path that no route of the service matches. */
    find: (
      { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
      path: string,
    ): RouteMatch | undefined => {
      const asset = findAsset(path);
      if (asset) return asset;
      const isPage = method === 'GET' || method === 'HEAD';
      return isPage && accepts(headers.accept, 'text/html') && !NO_PAGE.test(path) ? page : undefined;
    },
  };
};

export type DashboardFiles = ReturnType<typeof serveDashboard>;
