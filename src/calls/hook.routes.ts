import { findHookChannel, type HookChannel } from '../channels/channel.service.ts';
import { isSignedStandard, isSignedTwilio } from '../channels/signature.ts';
import { type Answer, type Call, MAX_HOOK_BODY, record, route } from '../http/route.ts';
import { ApiError, unauthorized } from '../kernel/errors.ts';
import { parseObject } from '../kernel/json.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { Storage } from '../storage/storage.ts';
import type { Caller, Principal } from '../workspaces/principal.ts';
import { type CallEvent, callEvent } from './call.schema.ts';
import { recordCall } from './call.service.ts';
import { readTwilio } from './twilio.ts';

/** One answer for everything that is wrong with who sent an event. */
const refused = () =>
  unauthorized(
    'The signature is missing, does not fit, is too old, or is for another address. Sign with webhook-id, webhook-timestamp and webhook-signature.',
    'Signature',
  );

const isForm = (type = '') => /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type);
const isJson = (type = '') => /^application\/json\s*(?:;|$)/i.test(type);

const header = ({ headers }: Call, name: string) => {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** Far more than any callback has. */
const MOST_FIELDS = 500;

const NOTHING_TO_SAY = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

export const hookRoutes = (storage: Storage, sealer: Sealer) => {
  const requireChannel = async (id: string): Promise<HookChannel> => {
    const channel = await storage.read(findHookChannel, null, { id });
    if (!channel) throw refused();
    return channel;
  };

  const write = (channel: HookChannel, { request }: Caller, event: CallEvent) => {
    const principal: Principal = { workspace: channel.workspace_id, actor: channel.id, request };
    return storage.write(recordCall, principal, { channel: channel.id, event });
  };

  const fromTwilio = async (call: Call<Caller, unknown, string>): Promise<Answer> => {
    const channel = await requireChannel(call.params.id);
    const form = new URLSearchParams(call.body);
    if (form.size > MOST_FIELDS)
      throw new ApiError('PAYLOAD_TOO_LARGE', `A form has at most ${MOST_FIELDS} fields.`);
    const token = sealer.open(channel.token_sealed ?? channel.secret_sealed, channel.id);
    const url = call.origin().base + call.target;
    if (!isSignedTwilio(token, url, form, header(call, 'x-twilio-signature'))) throw refused();
    await write(channel, call.principal, readTwilio(form));
    return { status: 200, body: NOTHING_TO_SAY, type: 'text/xml; charset=utf-8' };
  };

  const fromSender = async (call: Call<Caller, unknown, string>): Promise<Answer> => {
    const channel = await requireChannel(call.params.id);
    const message = {
      id: header(call, 'webhook-id'),
      timestamp: header(call, 'webhook-timestamp'),
      signature: header(call, 'webhook-signature'),
      body: call.body,
    };
    if (!isSignedStandard(sealer.open(channel.secret_sealed, channel.id), message, new Date()))
      throw refused();
    return record(write(channel, call.principal, callEvent.read(parseObject(call.body))));
  };

  return {
    events: route<Caller, unknown, string>({
      access: 'open',
      body: 'raw',
      maxBody: MAX_HOOK_BODY,
      handle: (call) => {
        const type = call.headers['content-type'];
        if (isForm(type)) return fromTwilio(call);
        if (isJson(type)) return fromSender(call);
        throw new ApiError(
          'UNSUPPORTED_MEDIA_TYPE',
          'Send JSON signed as Standard Webhooks describes, or a form that Twilio has signed.',
        );
      },
    }),
  };
};
