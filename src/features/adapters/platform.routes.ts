import { randomBytes } from 'node:crypto';
import type { Storage } from '../../db/storage.ts';
import type { Guard } from '../../http/pipeline/credentials.ts';
import { isOverloaded } from '../../http/pipeline/load-shedding.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { unauthorized } from '../../lib/errors.ts';
import { isForm, parseForm } from '../../lib/form.ts';
import { parseObject } from '../../lib/json.ts';
import * as s from '../../lib/schemas.ts';
import { assertOwnDegradedId } from '../calls/session.find.ts';
import { type SessionParts, sessionStarter } from '../calls/session.start.ts';
import { acceptedTokens } from '../channels/channel.secrets.ts';
import { channelId } from '../channels/channel.service.ts';
import { type Accepts, authenticator } from '../channels/hook.guards.ts';
import { hookAccess } from '../workspaces/access.ts';
import { acceptedSecrets } from '../workspaces/grace-period.ts';
import type { Caller } from '../workspaces/principal.ts';
import type { Adapter, PlatformRequest } from './adapter.ts';
import { recordPlatformCall } from './report.service.ts';
import { retell } from './retell.ts';
import { telnyx } from './telnyx.ts';
import { vapi } from './vapi.ts';

export const adapters: Readonly<Record<string, Adapter>> = {
  vapi,
  retell,
  telnyx,
};

type PlatformCaller = Caller & { readonly isOverloaded: boolean };

const route = routesOf({
  ...hookAccess<PlatformCaller>('platform', 'channelSecret', 'platformSignature'),
  isCheckedByHandler: true,
});

/** A report has all messages of a call. */
const MAX_BODY = 1_048_576;
const MAX_VALUES = 100_000;

const platformError = () => {
  const proofs = Object.values(adapters).map(({ proof }) => `${proof}.`);
  return unauthorized(
    `The request is not signed for this channel, or the channel has another adapter. ${proofs.join(' ')}`,
    'Signature',
  );
};

/** Rejects a request that has no proof of any platform before its body is read. */
export const platformGuard: Guard = (request) => {
  if (!Object.values(adapters).some((adapter) => adapter.provenBy(request.headers))) throw platformError();
  return { isOverloaded: isOverloaded(request) };
};

/** Called by voice platforms. */
export const platformHooks = (storage: Storage, parts: SessionParts) => {
  const { encryptor, known } = parts;
  const authenticate = authenticator(storage, known);
  const start = sessionStarter(storage, parts);
  const noSecret = randomBytes(32).toString('hex');

  /** Whether the platform of a channel has sent a request, and no other one. */
  const sentBy =
    (request: PlatformRequest): Accepts =>
    (channel) => {
      const adapter = adapters[channel?.adapter ?? ''];
      const provenBy = adapter?.provenBy(request.headers);
      if (!channel || !adapter || !provenBy) {
        for (const each of Object.values(adapters)) each.isAuthentic(request, noSecret);
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
        const adapter = adapters[known.find(channelId.parse(id) ?? '')?.adapter ?? ''];
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
          assertOwnDegradedId(encryptor, channel, message.event.session_id);
          await storage.run(recordPlatformCall, principal, { channel, ...message });
        }
        return { status: 200, body: '{}' };
      },
    }),
  };
};
