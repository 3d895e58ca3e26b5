import { webhookRequests } from '../features/webhooks/webhook.openapi.ts';
import { HOST_COOKIE, SESSION_COOKIE } from '../features/workspaces/session.cookies.ts';
import { introduction } from '../http/openapi/introduction.ts';
import { openApi } from '../http/openapi/openapi.ts';
import { keyScopes } from '../lib/scopes.ts';
import { version } from '../lib/version.ts';
import { apiRoutes, dashboardRoutes, hookRoutes, type RouteOptions, under } from './routes.ts';

const scopeList = keyScopes.map((scope) => `\`${scope}\``).join(', ');

const publisher = {
  contact: {
    name: 'The maintainers of Roster',
    url: 'https://roster.invalid/',
    email: 'maintainers@roster.invalid',
  },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
};

/** The OpenAPI document of the public API. */
export const describeApi = (options: RouteOptions) =>
  openApi([...under('/v1', apiRoutes(options)), ...under('/hooks', hookRoutes(options))], {
    info: {
      title: 'Roster',
      version,
      description: introduction,
      ...publisher,
    },
    servers: [{ url: '/' }, { url: '/api', description: 'The same routes under another prefix.' }],
    security: {
      key: {
        type: 'http',
        scheme: 'bearer',
        description: `An API key (\`rk_…\`). Its scopes: ${scopeList}.`,
      },
      channelSecret: {
        type: 'http',
        scheme: 'bearer',
        description: 'The secret of the channel in the path (`whsec_…`).',
      },
      integrationSecret: {
        type: 'http',
        scheme: 'bearer',
        description: 'The secret of the integration in the path (`rint_…`).',
      },
      webhookSignature: {
        type: 'apiKey',
        in: 'header',
        name: 'webhook-signature',
        description:
          'A signature by Standard Webhooks, made with the secret of the channel, with `webhook-id` and `webhook-timestamp`.',
      },
      twilioSignature: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Twilio-Signature',
        description: 'A signature by Twilio, made with the auth token that is stored for the channel.',
      },
    },
    webhooks: webhookRequests,
  });

/** The OpenAPI document of the dashboard's API. */
export const describeDashboard = (options: RouteOptions) =>
  openApi(under('/dashboard/api', dashboardRoutes(options)), {
    info: {
      title: 'Roster dashboard',
      version,
      description: 'The API of the dashboard, for signed-in users.',
      ...publisher,
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
