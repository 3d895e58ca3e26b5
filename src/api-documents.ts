import type { Storage } from './db/storage.ts';
import { HOST_COOKIE, SESSION_COOKIE } from './features/workspaces/session.guard.ts';
import { openApi } from './http/openapi/openapi.ts';
import { apiRoutes, type DashboardOptions, dashboardRoutes, under } from './routes.ts';
import { version } from './version.ts';

/** The OpenAPI document of the public API. */
export const describeApi = (storage: Storage) =>
  openApi(under('/v1', apiRoutes(storage)), {
    info: {
      title: 'Roster',
      version,
      description:
        'Contacts and AI agents with versioned instructions. Every record belongs to the workspace of the API key.',
    },
    servers: [{ url: '/' }, { url: '/api', description: 'The same routes under another prefix.' }],
    security: { key: { type: 'http', scheme: 'bearer', description: 'An API key (`rk_…`).' } },
  });

/** The OpenAPI document of the dashboard's API. */
export const describeDashboard = (options: DashboardOptions) =>
  openApi(under('/dashboard/api', dashboardRoutes(options)), {
    info: {
      title: 'Roster dashboard',
      version,
      description: 'The API of the dashboard, for signed-in users.',
    },
    servers: [{ url: '/' }],
    security: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: SESSION_COOKIE,
        description: `The session cookie. Over HTTPS its name is \`${HOST_COOKIE}\`.`,
      },
    },
  });
