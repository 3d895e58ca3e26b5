import type { IncomingHttpHeaders } from 'node:http';
import type { Storage } from '../../db/storage.ts';
import type { Guard } from '../../http/pipeline/credentials.ts';
import { isOverloaded } from '../../http/pipeline/load-shedding.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { newDecoy } from '../../lib/encryption.ts';
import { unauthorized, unavailable } from '../../lib/errors.ts';
import { isForm, parseForm } from '../../lib/form.ts';
import { parseObject } from '../../lib/json.ts';
import * as s from '../../lib/schemas.ts';
import { isForeignDegradedId } from '../calls/session.find.ts';
import { type SessionParts, sessionStarter } from '../calls/session.start.ts';
import type { AdapterName } from '../channels/channel.schema.ts';
import { acceptedTokens } from '../channels/channel.secrets.ts';
import { channelId } from '../channels/channel.service.ts';
import { type Accepts, authenticator } from '../channels/hook.guards.ts';
import type { KnownChannels } from '../channels/known-channels.ts';
import { hookAccess } from '../workspaces/access.ts';
import { acceptedSecrets } from '../workspaces/grace-period.ts';
import type { Caller } from '../workspaces/principal.ts';
import type { Adapter, PlatformRequest } from './adapter.ts';
import { elevenlabs } from './elevenlabs.ts';
import { recordPlatformCall } from './report.service.ts';
import { retell } from './retell.ts';
import { telnyx } from './telnyx.ts';
import { vapi } from './vapi.ts';

export const adapters: Readonly<Record<Exclude<AdapterName, 'native'>, Adapter>> = {
  vapi,
  retell,
  elevenlabs,
  telnyx,
};
const adapterOf = (name: AdapterName = 'native'): Adapter | undefined =>
  name === 'native' ? undefined : adapters[name];

type PlatformCaller = Caller & { readonly isOverloaded: boolean };

const route = routesOf({
  ...hookAccess<PlatformCaller>('platform', 'channelSecret', 'platformSignature'),
  isCheckedByHandler: true,
});

/** A report has all words of a call with their times, some platforms' more than once. */
const MAX_BODY = 4_194_304;
const MAX_VALUES = 500_000;
/** Larger messages are refused while the service is overloaded. */
const MAX_BODY_OVERLOADED = 65_536;

/** The first platform whose proof a request has. */
const proving = (headers: IncomingHttpHeaders): Adapter | undefined =>
  Object.values(adapters).find((adapter) => adapter.provenBy(headers));

const platformError = () => {
  const proofs = Object.values(adapters).map(({ proof }) => `${proof}.`);
  return unauthorized(
    `The request is not signed for this channel, or the channel has another adapter. ${proofs.join(' ')}`,
    'Signature',
  );
};

/** Rejects a request that has no proof of any platform before its body is read. During an overload, only small messages for channels
 *  that this thread knows are read. */
export const platformGuard =
  (known: KnownChannels): Guard =>
  (request, { id = '' }) => {
    if (!proving(request.headers)) throw platformError();
    const isLate = isOverloaded(request);
    const isSmall = Number(request.headers['content-length']) <= MAX_BODY_OVERLOADED;
    if (isLate && !(isSmall && known.find(channelId.parse(id) ?? '')))
      throw unavailable('The service is overloaded. Retry in 1 second.');
    return { isOverloaded: isLate };
  };

/** Called by voice platforms. */
export const platformHooks = (storage: Storage, parts: SessionParts) => {
  const { encryptor, known } = parts;
  const authenticate = authenticator(storage, known);
  const start = sessionStarter(storage, parts);
  const decoy = newDecoy();

  /** Whether the platform of a channel has sent a request, and no other one. Another channel takes the same time. */
  const sentBy =
    (request: PlatformRequest): Accepts =>
    (channel) => {
      const adapter = adapterOf(channel?.adapter);
      const provenBy = adapter?.provenBy(request.headers);
      if (!channel || !adapter || !provenBy) {
        proving(request.headers)?.isAuthentic(request, decoy());
        return false;
      }
      const sealed =
        provenBy === 'secret' ? acceptedSecrets(channel, 'secret_sealed') : acceptedTokens(channel);
      return sealed.some((each) => adapter.isAuthentic(request, encryptor.decrypt(each, channel.id)));
    };

  return {
    'POST /hooks/channels/:id/platform': route<unknown, string>({
      operationId: 'receivePlatformMessage',
      summary: 'Receive a message of a voice platform',
      description:
        "Called by the platform that the channel's `adapter` names, in its own format. A message that starts a call gets the agent's deployed version in the platform's format; a report records the call. Other messages are ignored.",
      params: { id: channelId.schema },
      body: 'raw',
      maxBody: MAX_BODY,
      bodies: {
        'application/json': s.mapOf({}, "The platform's message."),
        'application/x-www-form-urlencoded': s.mapOf(s.string(), "A status callback of Telnyx's TeXML."),
      },
      status: 200,
      file: ['application/json'],
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: async ({ principal: caller, params: { id }, headers, body }) => {
        const { isOverloaded, ...who } = caller;
        const found = await authenticate(id, sentBy({ headers, body }), { isOverloaded });
        const adapter = adapterOf(found?.adapter);
        if (!found || !adapter) throw platformError();
        const principal = { ...found, ...who };
        const message =
          adapter.readForm && isForm(headers['content-type'])
            ? adapter.readForm(Object.fromEntries(parseForm(body)))
            : adapter.read(parseObject(body, MAX_VALUES));
        if (!message) known.countIgnored();
        else if ('start' in message) {
          const { json } = await start(principal, message.start);
          return { status: 200, body: JSON.stringify(adapter.answer(JSON.parse(json))) };
        } else {
          const channel = principal.actor;
          const { session_id, ...event } = message.event;
          const isForeign = isForeignDegradedId(encryptor, channel, session_id);
          const report = isForeign ? { ...message, event } : message;
          await storage.run(recordPlatformCall, principal, { channel, ...report });
        }
        return { status: 200, body: '{}' };
      },
    }),
  };
};
