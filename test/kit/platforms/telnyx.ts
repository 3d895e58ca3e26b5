import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Reply, TestService } from '../service/test-service.ts';
import { sendMessage } from './send.ts';

/** A key pair, with the public key as Telnyx shows it: 32 bytes in base64. */
export const newKeys = (): { publicKey: string; privateKey: KeyObject } => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { publicKey: Buffer.from(x, 'base64url').toString('base64'), privateKey };
};

const LINE = '+14155550199';

const event = (event_type: string, occurred_at: string, payload: object) => ({
  data: { record_type: 'event', id: `event-${event_type}`, event_type, occurred_at, payload },
});

/** The dynamic variables webhook, from its documentation: the package does not describe it. */
export const initialization = (call_control_id: string | undefined, number: string) =>
  event('assistant.initialization', '2026-01-05T10:00:00Z', {
    telnyx_conversation_channel: call_control_id === undefined ? 'sms_chat' : 'phone_call',
    telnyx_agent_target: LINE,
    telnyx_end_user_target: number,
    telnyx_end_user_target_verified: true,
    ...(call_control_id !== undefined && { call_control_id }),
    assistant_id: 'assistant-1',
  });

const callOf = (call_control_id: string) => ({
  call_control_id,
  call_leg_id: 'leg-1',
  call_session_id: 'session-1',
  client_state: null,
  connection_id: '7267000000000000000',
});

const START = '2026-01-05T10:00:00.000000Z';

export const initiated = (id: string, number: string, direction: 'incoming' | 'outgoing' = 'incoming') =>
  event('call.initiated', START, {
    ...callOf(id),
    direction,
    from: direction === 'incoming' ? number : LINE,
    to: direction === 'incoming' ? LINE : number,
    start_time: START,
    state: direction === 'incoming' ? 'parked' : 'bridging',
  });

export const answeredCall = (id: string, number: string) =>
  event('call.answered', '2026-01-05T10:00:01.000000Z', {
    ...callOf(id),
    from: number,
    to: LINE,
    start_time: START,
    state: 'answered',
  });

export const messageHistory = (id: string, number: string) =>
  event('call.ai_gather.message_history_updated', '2026-01-05T10:00:30.000000Z', {
    ...callOf(id),
    from: number,
    to: LINE,
    message_history: [
      { role: 'assistant', content: 'Good morning.' },
      { role: 'user', content: 'Thursday, please.' },
      { role: 'tool', content: '{}' },
    ],
  });

export const conversationEnded = (id: string, number: string, duration_sec = 64.6) =>
  event('call.conversation.ended', '2026-01-05T10:01:05.817000Z', {
    ...callOf(id),
    assistant_id: 'assistant-1',
    calling_party_type: 'pstn',
    conversation_id: '0424805b-adc1-4ff8-9f95-e1de6883ecbe',
    duration_sec,
    from: number,
    to: LINE,
    llm_model: 'openai/gpt-4o',
    reason: null,
  });

export const hangup = (id: string, number: string, hangup_cause = 'normal_clearing') =>
  event('call.hangup', '2026-01-05T10:01:06.000000Z', {
    ...callOf(id),
    from: number,
    to: LINE,
    hangup_cause,
    hangup_source: 'caller',
    sip_hangup_cause: '200',
    start_time: START,
    state: 'hangup',
  });

export const insights = (id: string, ...results: (string | object)[]) =>
  event('call.conversation_insights.generated', '2026-01-05T10:01:20.000000Z', {
    ...callOf(id),
    calling_party_type: 'pstn',
    insight_group_id: 'group-1',
    results: results.map((result, at) => ({ insight_id: `insight-${at}`, result })),
  });

export const playbackStarted = (id: string) =>
  event('call.playback.started', '2026-01-05T10:00:02.000000Z', { ...callOf(id), overlay: false });

/** The signature of a body, as Telnyx documents it. */
export const telnyxSignature = (key: KeyObject, body: string, at = Date.now()) => {
  const time = String(Math.floor(at / 1_000));
  return {
    'telnyx-timestamp': time,
    'telnyx-signature-ed25519': sign(null, Buffer.from(`${time}|${body}`), key).toString('base64'),
  };
};

/** A status callback of a TeXML application, from its documentation. */
export const statusCallback = (CallSid: string, From: string, changes: Record<string, string>) =>
  new URLSearchParams({
    AccountSid: 'f5586561-0000-4000-8000-000000000000',
    CallSid,
    CallSidLegacy: CallSid,
    CallInitiatedAt: '2026-01-05T10:00:00.028Z',
    CallbackSource: 'call-progress-events',
    ConnectionId: '7267000000000000000',
    From,
    To: LINE,
    SequenceNumber: '0',
    Timestamp: '2026-01-05T10:00:00Z',
    ...changes,
  });

export const COMPLETED = {
  CallStatus: 'completed',
  CallDuration: '65',
  StartTime: '2026-01-05T10:00:00Z',
  EndTime: '2026-01-05T10:01:05Z',
  HangupCause: 'normal_clearing',
  HangupSource: 'caller',
  RecordingUrl: 'https://recordings.example/3.wav',
};

/** Sends an event as JSON, or a status callback as a form. */
export const sendTelnyx = (
  service: TestService,
  { id }: { id: string },
  key: KeyObject,
  message: object,
  headers: Record<string, string> = {},
): Promise<Reply> => {
  const isForm = message instanceof URLSearchParams;
  const raw = isForm ? message.toString() : JSON.stringify(message);
  return sendMessage(service, `/hooks/channels/${id}/platform`, raw, {
    ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...telnyxSignature(key, raw),
    ...headers,
  });
};
