import { webhookRequests } from '../features/webhooks/webhook.openapi.ts';
import { HOST_COOKIE, SESSION_COOKIE } from '../features/workspaces/session.cookies.ts';
import { openApi } from '../http/openapi/openapi.ts';
import { fileRoute, staticFile } from '../http/pipeline/static-files.ts';
import { keyScopes } from '../lib/scopes.ts';
import { version } from '../lib/version.ts';
import { groups } from './collections.ts';
import { introduction } from './introduction.ts';
import { type RouteOptions, routeTables } from './routes.ts';

const scopeList = keyScopes.map((scope) => `\`${scope}\``).join(', ');

const publisher = {
  contact: {
    name: 'The maintainers of Roster',
    url: 'https://roster.invalid/',
    email: 'maintainers@roster.invalid',
  },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
};

const session = {
  type: 'apiKey',
  in: 'cookie',
  name: SESSION_COOKIE,
  description: `The session cookie of a signed-in user, instead of an API key: a request with both is rejected. Over HTTPS its name is \`${HOST_COOKIE}\`. Changes need the header \`Origin\` of the service.`,
};

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });
const inHeader = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

/** The OpenAPI document of the public API. */
export const describeApi = (options: RouteOptions) => {
  const { api, hooks } = routeTables(options);
  return openApi([...api, ...hooks], {
    info: {
      title: 'Roster',
      version,
      description: introduction,
      ...publisher,
    },
    servers: [{ url: '/' }, { url: '/api', description: 'The same routes under another prefix.' }],
    defaults: ['key', 'session'],
    schemes: {
      key: bearer(`An API key (\`rk_…\`). Its scopes: ${scopeList}.`),
      session,
      channelSecret: bearer('The secret of the channel in the path (`whsec_…`).'),
      integrationSecret: bearer('The secret of the integration in the path (`rint_…`).'),
      webhookSignature: inHeader(
        'webhook-signature',
        'A signature by Standard Webhooks, made with the secret of the channel, with `webhook-id` and `webhook-timestamp`.',
      ),
      twilioSignature: inHeader(
        'X-Twilio-Signature',
        'A signature by Twilio, made with the auth token that is stored for the channel.',
      ),
      platformSignature: inHeader(
        'X-Retell-Signature',
        'A signature by Retell, made with the platform secret of the channel. ElevenLabs signs in ElevenLabs-Signature, Telnyx in Telnyx-Signature-Ed25519. ElevenLabs and Vapi also send the secret of the channel.',
      ),
    },
    groups,
    webhooks: webhookRequests,
  });
};

/** The OpenAPI document of the dashboard's API. */
export const describeDashboard = (options: RouteOptions) =>
  openApi(routeTables(options).dashboard, {
    info: {
      title: 'Roster dashboard',
      version,
      description:
        'What only the dashboard needs, for signed-in users. Everything else is in the API under `/v1`, which accepts their sessions, too.',
      ...publisher,
    },
    servers: [{ url: '/' }],
    defaults: ['session'],
    schemes: { session },
    groups,
  });

/** A start does not wait for the documents, and a thread that never sends one does not store it. */
export const documentRoutes = (options: RouteOptions) => {
  const routeOf = (describe: typeof describeApi) =>
    fileRoute(
      () => staticFile('application/json; charset=utf-8', `${JSON.stringify(describe(options), null, 2)}\n`),
      { Vary: 'Accept-Encoding' },
    );
  return { api: routeOf(describeApi), dashboard: routeOf(describeDashboard) };
};
