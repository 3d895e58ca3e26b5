import { createHmac } from 'node:crypto';
import type { Reply, TestService } from '../service/test-service.ts';
import { sendMessage } from './send.ts';

export const WEBHOOK_SECRET = 'wh_0123456789abcdef0123456789abcdef';

const LINE = '+14155550199';

const callOf = (call_sid: string, number: string, direction: 'inbound' | 'outbound') => ({
  call_sid,
  account_sid: 'account-1',
  application_sid: 'application-1',
  direction,
  from: direction === 'inbound' ? number : LINE,
  to: direction === 'inbound' ? LINE : number,
  call_id: `${call_sid}@198.51.100.1`,
  trace_id: '0123456789abcdef0123456789abcdef',
});

/** The first request of a call, to the application's call hook. */
export const newCall = (call_sid: string, number: string, direction: 'inbound' | 'outbound' = 'inbound') => ({
  ...callOf(call_sid, number, direction),
  call_status: direction === 'inbound' ? 'trying' : 'in-progress',
  sip_status: direction === 'inbound' ? 100 : 200,
  defaults: {
    synthesizer: { vendor: 'google', language: 'en-US', voice: 'en-US-Standard-C' },
    recognizer: { vendor: 'google', language: 'en-US' },
  },
});

export const callStatus = (call_sid: string, number: string, call_status: string, changes: object = {}) => ({
  ...callOf(call_sid, number, 'inbound'),
  call_status,
  sip_status: 200,
  ...changes,
});

export const turnEnd = (transcript: string, response: string) => ({
  type: 'turn_end',
  transcript,
  response,
  interrupted: false,
  latency: { transcriber_latency: 80, model_latency: 300, voice_latency: 120 },
});

export const agentEnd = (call_sid: string, number: string) => ({
  ...callStatus(call_sid, number, 'in-progress'),
  completion_reason: 'normal conversation end',
});

/** The signature of a body, as jambonz documents it. */
export const jambonzSignature = (secret: string, body: string, at = Date.now()): string => {
  const time = Math.floor(at / 1_000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
};

export const sendJambonz = (
  service: TestService,
  { id }: { id: string },
  message: object,
  { secret = WEBHOOK_SECRET, at, hook }: { secret?: string; at?: number; hook?: string } = {},
): Promise<Reply> => {
  const raw = JSON.stringify(message);
  const headers = { 'jambonz-signature': jambonzSignature(secret, raw, at) };
  return sendMessage(service, hook ?? `/hooks/channels/${id}/platform`, raw, headers);
};
