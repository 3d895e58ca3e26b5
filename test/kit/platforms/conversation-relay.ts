import { createHmac } from 'node:crypto';
import type { Reply, TestService } from '../service/test-service.ts';
import { sendMessage } from './send.ts';

export const AUTH_TOKEN = '0123456789abcdef0123456789abcdef';

const LINE = '+14155550199';

/** The request of a voice webhook, from its documentation. */
export const voiceRequest = (CallSid: string, From: string, changes: Record<string, string> = {}) =>
  new URLSearchParams({
    AccountSid: 'AC00000000000000000000000000000000',
    ApiVersion: '2010-04-01',
    CallSid,
    CallStatus: 'ringing',
    Direction: 'inbound',
    From,
    To: LINE,
    ...changes,
  });

/** The request to the action URL of a session that has ended. */
export const sessionEnd = (CallSid: string, From: string, handoff?: object, SessionStatus = 'ended') =>
  voiceRequest(CallSid, From, {
    CallStatus: SessionStatus === 'completed' ? 'completed' : 'in-progress',
    SessionId: 'VX00000000000000000000000000000000',
    SessionStatus,
    SessionDuration: '64',
    ...(handoff && { HandoffData: JSON.stringify(handoff) }),
  });

export const statusCallback = (CallSid: string, From: string, changes: Record<string, string> = {}) =>
  voiceRequest(CallSid, From, {
    CallStatus: 'completed',
    CallDuration: '65',
    CallbackSource: 'call-progress-events',
    SequenceNumber: '3',
    Timestamp: 'Mon, 05 Jan 2026 10:01:05 +0000',
    ...changes,
  });

/** The signature of a form, as Twilio documents it. */
export const twilioSignature = (token: string, url: string, form: URLSearchParams): string => {
  const fields = [...form]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => name + value);
  return createHmac('sha1', token)
    .update(url + fields.join(''))
    .digest('base64');
};

export const sendConversationRelay = (
  service: TestService,
  { id }: { id: string },
  form: URLSearchParams,
  {
    query = '',
    token = AUTH_TOKEN,
    signed = form,
  }: { query?: string; token?: string; signed?: URLSearchParams } = {},
): Promise<Reply> => {
  const path = `/hooks/channels/${id}/platform${query}`;
  return sendMessage(service, path, form.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': twilioSignature(token, service.url + path, signed),
  });
};
