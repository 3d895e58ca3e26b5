import type { IncomingHttpHeaders } from 'node:http';
import type { Storage } from '../../db/storage.ts';
import type { Guard } from '../../http/pipeline/credentials.ts';
import { isOverloaded } from '../../http/pipeline/load-shedding.ts';
import { type HttpResponse, routesOf } from '../../http/pipeline/route.ts';
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
import type { Adapter, PlatformRequest, PlatformSession } from './adapter.ts';
import { conversationRelay } from './conversation-relay.ts';
import { elevenlabs } from './elevenlabs.ts';
import { jambonz } from './jambonz.ts';
import { hookOf } from './payload.ts';
import { recordPlatformCall } from './report.service.ts';
import { retell } from './retell.ts';
import { telnyx } from './telnyx.ts';
import { vapi } from './vapi.ts';

export const adapters: Readonly<Record<Exclude<AdapterName, 'native'>, Adapter>> = {
  vapi,
  retell,
  elevenlabs,
  telnyx,
  twilio_conversationrelay: conversationRelay,
  jambonz,
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

/** The platforms whose proof a request has. */
const proving = (headers: IncomingHttpHeaders): Adapter[] =>
  Object.values(adapters).filter((adapter) => adapter.provenBy(headers));

const refused = (problem: string, platforms: readonly Adapter[]) =>
  unauthorized(`${problem} ${platforms.map(({ proof }) => `${proof}.`).join(' ')}`, 'Signature');

const missingProof = () => refused('The request has no proof of its platform.', Object.values(adapters));

/** The same for every channel, and for none. The base is what the service sees of the URL, which Twilio signs. */
const wrongProof = (headers: IncomingHttpHeaders, base: string) =>
  refused(
    `The secret or signature is wrong for this path on ${base}, or the channel does not exist or has another platform.`,
    proving(headers),
  );

const answerOf = (body: object | string = {}): HttpResponse =>
  typeof body === 'string' ? { status: 200, body, type: XML } : { status: 200, body: JSON.stringify(body) };
const XML = 'text/xml; charset=utf-8';

/** Rejects a request that has no proof of any platform before its body is read. During an overload, only small messages for channels
 *  that this thread knows are read. */
export const platformGuard =
  (known: KnownChannels): Guard =>
  (request, { id = '' }) => {
    if (proving(request.headers).length === 0) throw missingProof();
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
        proving(request.headers)[0]?.isAuthentic(request, decoy());
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
        'application/x-www-form-urlencoded': s.mapOf(
          s.string(),
          'A voice webhook or a status callback of Twilio or of TeXML.',
        ),
      },
      status: 200,
      file: ['application/json', 'text/xml'],
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: async (sent) => {
        const { headers, body, target, path } = sent;
        const { base } = sent.origin();
        const query = new URLSearchParams(target.slice(path.length));
        const request = { headers, body, url: base + target, query };
        const { isOverloaded, ...who } = sent.principal;
        const found = await authenticate(sent.params.id, sentBy(request), { isOverloaded });
        const adapter = adapterOf(found?.adapter);
        if (!found || !adapter) throw wrongProof(headers, base);
        const principal = { ...found, ...who };
        const message =
          adapter.readForm && isForm(headers['content-type'])
            ? adapter.readForm(parseForm(body), request)
            : adapter.read(parseObject(body, MAX_VALUES), request);
        if (!message) known.countIgnored();
        else if ('start' in message) {
          const session: PlatformSession = JSON.parse((await start(principal, message.start)).json);
          return answerOf(adapter.answer(session, hookOf(path, session, message.start.provider_id)));
        } else {
          const channel = principal.actor;
          const { session_id, ...event } = message.event;
          const isForeign = isForeignDegradedId(encryptor, channel, session_id);
          const report = isForeign ? { ...message, event } : message;
          await storage.run(recordPlatformCall, principal, { channel, ...report });
        }
        return answerOf(adapter.received);
      },
    }),
  };
};
