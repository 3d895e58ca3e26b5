import type { Storage } from '../../db/storage.ts';
import type { Guard } from '../../http/pipeline/credentials.ts';
import {
  type HttpRequest,
  type HttpResponse,
  MAX_HOOK_BODY,
  ok,
  routesOf,
} from '../../http/pipeline/route.ts';
import { type Encryptor, newDecoy } from '../../lib/encryption.ts';
import { ApiError, unauthorized } from '../../lib/errors.ts';
import { isForm, parseForm } from '../../lib/form.ts';
import { parseObject } from '../../lib/json.ts';
import * as s from '../../lib/schemas.ts';
import { acceptedTokens } from '../channels/channel.secrets.ts';
import { findHookChannel } from '../channels/channel.service.ts';
import type { ChannelRow } from '../channels/channel.store.ts';
import { isSignedStandard, isSignedTwilio } from '../channels/signature.ts';
import { hookAccess } from '../workspaces/access.ts';
import { acceptedSecrets } from '../workspaces/grace-period.ts';
import type { Caller, Principal } from '../workspaces/principal.ts';
import { recordCall } from './call.report.ts';
import { type CallEvent, callEvent } from './call.schema.ts';
import { assertOwnDegradedId } from './session.find.ts';
import { readTwilio } from './twilio.ts';

const route = routesOf({
  ...hookAccess('signature', 'webhookSignature', 'twilioSignature'),
  isCheckedByHandler: true,
});

/** The same error for every failed authentication of a scheme. */
const signatureError = () =>
  unauthorized(
    'The signature is missing, invalid or expired. Sign JSON with webhook-id, webhook-timestamp and webhook-signature; a form of Twilio has X-Twilio-Signature.',
    'Signature',
  );

/** Twilio signs the URL that it calls. Behind a proxy, the service may see another one. */
const twilioError = (base: string) =>
  unauthorized(
    `The Twilio signature is missing or invalid for this path on ${base}, the URL that the service sees. If Twilio calls another scheme or host, set TRUST_PROXY and let the proxy send X-Forwarded-Proto and X-Forwarded-Host. Otherwise check the auth token of the channel.`,
    'Signature',
  );

const isJson = (type = '') => /^application\/json\s*(?:;|$)/i.test(type);

const header = ({ headers }: Pick<HttpRequest, 'headers'>, name: string) => {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Rejects a request without a signature before its body is read. */
export const signatureGuard: Guard = (request) => {
  if (!header(request, 'x-twilio-signature') && !header(request, 'webhook-signature')) throw signatureError();
};

const twilioForm: s.JsonSchema = {
  type: 'object',
  description: 'The fields of a request by Twilio.',
  additionalProperties: s.string(),
};
const recorded = s.object(
  'RecordedCall',
  {
    id: s.string('The id of the call.'),
    contact_id: s.nullableString('`null` if the event has no usable number.'),
    effect: s.oneOf(['recorded', 'updated', 'none']),
  },
  {
    skipped_fields: s.list(
      s.object('SkippedField', { field: s.string(), message: s.string() }),
      'Fields of the contact that a rule of the call settings could not write, and why; missing if there are none.',
    ),
  },
);

const EMPTY_TWIML = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

/** Called by runtimes and providers. */
export const callHooks = (storage: Storage, encryptor: Encryptor) => {
  const decoy = newDecoy();

  /** The channel of a path; throws unless `isSigned` accepts one of its secrets. */
  const requireSigned = async (
    id: string,
    scheme: 'secret' | 'token',
    isSigned: (secret: string) => boolean,
    error: () => ApiError,
  ): Promise<ChannelRow> => {
    const channel = await storage.run(findHookChannel, null, { id });
    if (!channel) {
      isSigned(decoy());
      throw error();
    }
    const accepted = scheme === 'token' ? acceptedTokens(channel) : acceptedSecrets(channel, 'secret_sealed');
    if (!accepted.some((encrypted) => isSigned(encryptor.decrypt(encrypted, channel.id)))) throw error();
    return channel;
  };

  const write = (channel: ChannelRow, { request }: Caller, event: CallEvent) => {
    const principal: Principal = { workspace: channel.workspace_id, actor: channel.id, request };
    return storage.run(recordCall, principal, { channel: channel.id, event });
  };

  const fromTwilio = async (request: HttpRequest<Caller, unknown, string>): Promise<HttpResponse> => {
    const signature = header(request, 'x-twilio-signature');
    const form = parseForm(request.body);
    const { base } = request.origin();
    const url = base + request.target;
    const channel = await requireSigned(
      request.params.id,
      'token',
      (token) => isSignedTwilio(token, url, form, signature),
      () => twilioError(base),
    );
    await write(channel, request.principal, readTwilio(form));
    return { status: 200, body: EMPTY_TWIML, type: 'text/xml; charset=utf-8' };
  };

  const fromSender = async (request: HttpRequest<Caller, unknown, string>): Promise<HttpResponse> => {
    const message = {
      id: header(request, 'webhook-id'),
      timestamp: header(request, 'webhook-timestamp'),
      signature: header(request, 'webhook-signature'),
      body: request.body,
    };
    const channel = await requireSigned(
      request.params.id,
      'secret',
      (secret) => isSignedStandard(secret, message, new Date()),
      signatureError,
    );
    const event = callEvent.read(parseObject(request.body));
    assertOwnDegradedId(encryptor, channel.id, event.session_id);
    return ok(write(channel, request.principal, event));
  };

  return {
    'POST /hooks/channels/:id/events': route<unknown, string>({
      operationId: 'receiveCallEvent',
      summary: 'Report a call or a message',
      description:
        'Called by a runtime with signed JSON, or by Twilio with a signed form, which gets empty TwiML. The same `provider_id` is the same call: a later report updates it, and may add its result.',
      body: 'raw',
      maxBody: MAX_HOOK_BODY,
      bodies: { 'application/json': callEvent.schema, 'application/x-www-form-urlencoded': twilioForm },
      status: 200,
      data: recorded,
      otherTypes: ['text/xml'],
      handle: (request) => {
        const type = request.headers['content-type'];
        if (isForm(type)) return fromTwilio(request);
        if (isJson(type)) return fromSender(request);
        throw new ApiError(
          'UNSUPPORTED_MEDIA_TYPE',
          'Unsupported content type. Send JSON signed according to Standard Webhooks, or a form signed by Twilio.',
        );
      },
    }),
  };
};
