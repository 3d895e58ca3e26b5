import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { isApiError } from './api/api-error.ts';
import { followChanges } from './api/live.ts';
import { loadChunk } from './api/load-chunk.ts';
import { queryClient } from './api/query.ts';
import { currentUserQuery } from './app/current-user.ts';
import { AppError, PageError, PageNotFound } from './app/error-pages.tsx';
import { noteNavigation } from './app/kept-state.ts';
import { rememberRecord } from './app/recent.ts';
import { Shell } from './app/shell.tsx';
import {
  flagParam,
  parseSearch,
  type RawSearch,
  rememberSearch,
  returnPathParam,
  stringifySearch,
} from './lib/search-params.ts';
import { parseAgentSearch } from './pages/agents/detail/url-params.ts';
import { parseAgentsSearch } from './pages/agents/list/url-params.ts';
import { parseVersionSearch } from './pages/agents/version/url-params.ts';
import { parseCampaignSearch } from './pages/campaigns/detail/url-params.ts';
import { parseCampaignsSearch } from './pages/campaigns/list/url-params.ts';
import { parseChannelsSearch } from './pages/channels/list/url-params.ts';
import { parseContactSearch } from './pages/contacts/detail/url-params.ts';
import { parseContactsSearch } from './pages/contacts/list/url-params.ts';
import { parseDuplicatesSearch } from './pages/duplicates/list/url-params.ts';
import { parseHomeSearch } from './pages/home/url-params.ts';
import { parseImportSearch, parseImportsSearch } from './pages/imports/url-params.ts';
import { parseIntegrationsSearch } from './pages/integrations/list/url-params.ts';
import { parseSegmentsSearch } from './pages/segments/list/url-params.ts';
import { parseSettingsSearch } from './pages/settings/url-params.ts';
import { parseTagsSearch } from './pages/tags/list/url-params.ts';
import { parseWebhookSearch } from './pages/webhooks/detail/url-params.ts';
import { parseWebhooksSearch } from './pages/webhooks/list/url-params.ts';
import { parseAuditLogSearch } from './records/audit-log/url-params.ts';
import { parseCallsSearch } from './records/calls/url-params.ts';
import { Toasts } from './ui/toast.tsx';

const pageOf: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadChunk(load), name);

/** All routes. Page components are loaded on demand; the parsers of search parameters are in the first load. */
/** The first page is rendered in small steps: updates of the router would render it in one that blocks the browser. */
const FirstRender = () => useDeferredValue(true, false) && <Outlet />;

const root = createRootRoute({ component: FirstRender });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (raw: RawSearch): { return?: string | undefined; add?: true | undefined } => ({
    return: returnPathParam(raw.return),
    add: flagParam(raw.add),
  }),
  component: pageOf(() => import('./pages/sign-in/page.tsx'), 'SignInPage'),
});
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: pageOf(() => import('./pages/welcome/page.tsx'), 'WelcomePage'),
});

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  errorComponent: AppError,
  beforeLoad: async ({ location }) => {
    try {
      const { data } = await queryClient.ensureQueryData(currentUserQuery);
      if (data.must_set_password) throw redirect({ to: '/welcome' });
      followChanges(data.id, data.after);
    } catch (error) {
      if (!isApiError(error, 'UNAUTHORIZED')) throw error;
      const place = location.href === '/' ? undefined : location.href;
      throw redirect({ to: '/sign-in', search: { return: place } });
    }
  },
});

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  validateSearch: parseHomeSearch,
  component: pageOf(() => import('./pages/home/page.tsx'), 'HomePage'),
});
const contacts = createRoute({
  getParentRoute: () => app,
  path: '/contacts',
  validateSearch: parseContactsSearch,
  component: pageOf(() => import('./pages/contacts/list/page.tsx'), 'ContactsPage'),
});
const contact = createRoute({
  getParentRoute: () => app,
  path: '/contacts/$id',
  validateSearch: parseContactSearch,
  component: pageOf(() => import('./pages/contacts/detail/page.tsx'), 'ContactPage'),
});
const duplicates = createRoute({
  getParentRoute: () => app,
  path: '/duplicates',
  validateSearch: parseDuplicatesSearch,
  component: pageOf(() => import('./pages/duplicates/list/page.tsx'), 'DuplicatesPage'),
});
const segments = createRoute({
  getParentRoute: () => app,
  path: '/segments',
  validateSearch: parseSegmentsSearch,
  component: pageOf(() => import('./pages/segments/list/page.tsx'), 'SegmentsPage'),
});
const imports = createRoute({
  getParentRoute: () => app,
  path: '/import',
  validateSearch: parseImportsSearch,
  component: pageOf(() => import('./pages/imports/list/page.tsx'), 'ImportsPage'),
});

/** The plural that people type. */
const importsAlias = createRoute({
  getParentRoute: () => app,
  path: '/imports',
  beforeLoad: () => {
    throw redirect({ to: '/import', replace: true });
  },
});
const importRecord = createRoute({
  getParentRoute: () => app,
  path: '/import/$id',
  validateSearch: parseImportSearch,
  component: pageOf(() => import('./pages/imports/detail/page.tsx'), 'ImportPage'),
});
const agents = createRoute({
  getParentRoute: () => app,
  path: '/agents',
  validateSearch: parseAgentsSearch,
  component: pageOf(() => import('./pages/agents/list/page.tsx'), 'AgentsPage'),
});
const agent = createRoute({
  getParentRoute: () => app,
  path: '/agents/$id',
  validateSearch: parseAgentSearch,
  component: pageOf(() => import('./pages/agents/detail/page.tsx'), 'AgentPage'),
});
const version = createRoute({
  getParentRoute: () => app,
  path: '/agents/$id/versions/$version',
  validateSearch: parseVersionSearch,
  component: pageOf(() => import('./pages/agents/version/page.tsx'), 'VersionPage'),
});
const campaigns = createRoute({
  getParentRoute: () => app,
  path: '/campaigns',
  validateSearch: parseCampaignsSearch,
  component: pageOf(() => import('./pages/campaigns/list/page.tsx'), 'CampaignsPage'),
});
const campaign = createRoute({
  getParentRoute: () => app,
  path: '/campaigns/$id',
  validateSearch: parseCampaignSearch,
  component: pageOf(() => import('./pages/campaigns/detail/page.tsx'), 'CampaignPage'),
});
const calls = createRoute({
  getParentRoute: () => app,
  path: '/calls',
  validateSearch: parseCallsSearch,
  component: pageOf(() => import('./pages/calls/list/page.tsx'), 'CallsPage'),
});
const channels = createRoute({
  getParentRoute: () => app,
  path: '/channels',
  validateSearch: parseChannelsSearch,
  component: pageOf(() => import('./pages/channels/list/page.tsx'), 'ChannelsPage'),
});
const integrations = createRoute({
  getParentRoute: () => app,
  path: '/integrations',
  validateSearch: parseIntegrationsSearch,
  component: pageOf(() => import('./pages/integrations/list/page.tsx'), 'IntegrationsPage'),
});
const webhooks = createRoute({
  getParentRoute: () => app,
  path: '/webhooks',
  validateSearch: parseWebhooksSearch,
  component: pageOf(() => import('./pages/webhooks/list/page.tsx'), 'WebhooksPage'),
});
const webhook = createRoute({
  getParentRoute: () => app,
  path: '/webhooks/$id',
  validateSearch: parseWebhookSearch,
  component: pageOf(() => import('./pages/webhooks/detail/page.tsx'), 'WebhookPage'),
});
const auditLog = createRoute({
  getParentRoute: () => app,
  path: '/audit-log',
  validateSearch: parseAuditLogSearch,
  component: pageOf(() => import('./pages/audit-log/list/page.tsx'), 'AuditLogPage'),
});
/** The former path of the audit log. */
const activity = createRoute({
  getParentRoute: () => app,
  path: '/activity',
  validateSearch: parseAuditLogSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/audit-log', search, replace: true });
  },
});
const tags = createRoute({
  getParentRoute: () => app,
  path: '/tags',
  validateSearch: parseTagsSearch,
  component: pageOf(() => import('./pages/tags/list/page.tsx'), 'TagsPage'),
});
const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  validateSearch: parseSettingsSearch,
  component: pageOf(() => import('./pages/settings/page.tsx'), 'SettingsPage'),
});

const unknown = createRoute({ getParentRoute: () => app, path: '/$', component: PageNotFound });

const pages = [
  home,
  contacts,
  contact,
  duplicates,
  segments,
  imports,
  importsAlias,
  importRecord,
  agents,
  agent,
  version,
  campaigns,
  campaign,
  calls,
  channels,
  integrations,
  webhooks,
  webhook,
  auditLog,
  activity,
  tags,
  settings,
  unknown,
] as const;

export const router = createRouter({
  routeTree: root.addChildren([signIn, welcome, app.addChildren(pages)]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: PageNotFound,
  scrollRestoration: true,
  InnerWrap: ({ children }) => (
    <>
      {children}
      <Toasts />
    </>
  ),
});

router.history.subscribe(({ action }) => noteNavigation(action.type));
router.subscribe('onResolved', ({ toLocation: { pathname, search, state } }) => {
  rememberSearch(pathname, search, state.__TSR_index);
  rememberRecord(pathname);
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
