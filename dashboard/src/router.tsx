import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { isFailure } from './api/failure.ts';
import { loaded } from './api/loaded.ts';
import { queryClient } from './api/query.ts';
import { parseSearch, type RawSearch, returnIn, stringifySearch } from './app/address.ts';
import { AppFailed, PageFailed, PageNotFound } from './app/failures.tsx';
import { rememberSearch } from './app/last-search.ts';
import { Shell } from './app/shell.tsx';
import { whoQuery } from './app/who.ts';
import { activitySearch } from './pages/activity/search.ts';
import { agentSearch } from './pages/agent/search.ts';
import { agentsSearch } from './pages/agents/search.ts';
import { callsSearch } from './pages/calls/search.ts';
import { campaignSearch } from './pages/campaign/search.ts';
import { campaignsSearch } from './pages/campaigns/search.ts';
import { channelsSearch } from './pages/channels/search.ts';
import { contactSearch } from './pages/contact/search.ts';
import { contactsSearch } from './pages/contacts/search.ts';
import { homeSearch } from './pages/home/search.ts';
import { importSearch, importsSearch } from './pages/import/search.ts';
import { integrationsSearch } from './pages/integrations/search.ts';
import { settingsSearch } from './pages/settings/search.ts';

const pageOf: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loaded(load), name);

/** Every page, on one screen. A page's component is loaded when it is opened; what its address may hold is known before. */
const root = createRootRoute({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (raw: RawSearch): { return?: string | undefined } => ({ return: returnIn(raw.return) }),
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
  errorComponent: AppFailed,
  beforeLoad: async ({ location }) => {
    try {
      const { data } = await queryClient.ensureQueryData(whoQuery);
      if (data.must_set_password) throw redirect({ to: '/welcome' });
    } catch (error) {
      if (!isFailure(error, 'UNAUTHORIZED')) throw error;
      const place = location.href === '/' ? undefined : location.href;
      throw redirect({ to: '/sign-in', search: { return: place } });
    }
  },
});

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  validateSearch: homeSearch,
  component: pageOf(() => import('./pages/home/page.tsx'), 'HomePage'),
});
const contacts = createRoute({
  getParentRoute: () => app,
  path: '/contacts',
  validateSearch: contactsSearch,
  component: pageOf(() => import('./pages/contacts/page.tsx'), 'ContactsPage'),
});
const contact = createRoute({
  getParentRoute: () => app,
  path: '/contacts/$id',
  validateSearch: contactSearch,
  component: pageOf(() => import('./pages/contact/page.tsx'), 'ContactPage'),
});
const imports = createRoute({
  getParentRoute: () => app,
  path: '/import',
  validateSearch: importsSearch,
  component: pageOf(() => import('./pages/import/page.tsx'), 'ImportPage'),
});

const importRecord = createRoute({
  getParentRoute: () => app,
  path: '/import/$id',
  validateSearch: importSearch,
  component: pageOf(() => import('./pages/import/record.tsx'), 'ImportRecordPage'),
});
const agents = createRoute({
  getParentRoute: () => app,
  path: '/agents',
  validateSearch: agentsSearch,
  component: pageOf(() => import('./pages/agents/page.tsx'), 'AgentsPage'),
});
const agent = createRoute({
  getParentRoute: () => app,
  path: '/agents/$id',
  validateSearch: agentSearch,
  component: pageOf(() => import('./pages/agent/page.tsx'), 'AgentPage'),
});
const campaigns = createRoute({
  getParentRoute: () => app,
  path: '/campaigns',
  validateSearch: campaignsSearch,
  component: pageOf(() => import('./pages/campaigns/page.tsx'), 'CampaignsPage'),
});
const campaign = createRoute({
  getParentRoute: () => app,
  path: '/campaigns/$id',
  validateSearch: campaignSearch,
  component: pageOf(() => import('./pages/campaign/page.tsx'), 'CampaignPage'),
});
const calls = createRoute({
  getParentRoute: () => app,
  path: '/calls',
  validateSearch: callsSearch,
  component: pageOf(() => import('./pages/calls/page.tsx'), 'CallsPage'),
});
const channels = createRoute({
  getParentRoute: () => app,
  path: '/channels',
  validateSearch: channelsSearch,
  component: pageOf(() => import('./pages/channels/page.tsx'), 'ChannelsPage'),
});
const integrations = createRoute({
  getParentRoute: () => app,
  path: '/integrations',
  validateSearch: integrationsSearch,
  component: pageOf(() => import('./pages/integrations/page.tsx'), 'IntegrationsPage'),
});
const activity = createRoute({
  getParentRoute: () => app,
  path: '/activity',
  validateSearch: activitySearch,
  component: pageOf(() => import('./pages/activity/page.tsx'), 'ActivityPage'),
});
const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings',
  validateSearch: settingsSearch,
  component: pageOf(() => import('./pages/settings/page.tsx'), 'SettingsPage'),
});

const unknown = createRoute({ getParentRoute: () => app, path: '/$', component: PageNotFound });

const pages = [
  home,
  contacts,
  contact,
  imports,
  importRecord,
  agents,
  agent,
  campaigns,
  campaign,
  calls,
  channels,
  integrations,
  activity,
  settings,
  unknown,
] as const;

export const router = createRouter({
  routeTree: root.addChildren([signIn, welcome, app.addChildren(pages)]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  defaultNotFoundComponent: PageNotFound,
  scrollRestoration: true,
});

router.subscribe('onResolved', ({ toLocation: { pathname, search } }) => rememberSearch(pathname, search));

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
