import { bearerOf } from '../../http/pipeline/credentials.ts';
import { digest, isSameSecret } from '../../lib/encryption.ts';
import type { CallStatus } from '../calls/call.schema.ts';
import { sessionCreate } from '../calls/session.schema.ts';
import type { Turn } from '../calls/transcript.schema.ts';
import { isHmac } from '../channels/signature.ts';
import type { Adapter, PlatformRequest, PlatformSession } from './adapter.ts';
import {
  costIn,
  defined,
  entryOf,
  eventOf,
  numberOf,
  objectIn,
  type Payload,
  resultsOf,
  SESSION,
  textIn,
  timeIn,
  timesOf,
  turnsIn,
  variablesOf,
} from './payload.ts';

/* ElevenLabs: the conversation initiation webhook and the post-call webhook of an agent (docs/runtimes/elevenlabs.md). */

/** As in the platform's own package. */
const TOLERANCE_MS = 1_800_000;

/** `t=` and the time in seconds, `v0=` and the HMAC-SHA-256 of that time, a dot and the body, in hexadecimal digits. */
const isSigned = (header: string, body: string, secret: string): boolean => {
  const [, time = '', sent = ''] = /^t=(\d{1,12}),v0=([0-9a-f]{64})$/i.exec(header) ?? [];
  return (
    isHmac(secret, `${time}.${body}`, sent) && Math.abs(Date.now() - Number(time) * 1_000) <= TOLERANCE_MS
  );
};

const isAuthentic = ({ headers, body }: PlatformRequest, secret: string): boolean => {
  const signature = headers['elevenlabs-signature'];
  return signature === undefined
    ? isSameSecret(bearerOf({ headers }) ?? '', digest(secret))
    : isSigned(String(signature), body, secret);
};

/** The values of an analysis by their ids, and as goals the criteria that it judged. */
const resultsIn = (analysis: Payload) => {
  const values = Object.entries(objectIn(analysis, 'data_collection_results'));
  const criteria = Object.entries(objectIn(analysis, 'evaluation_criteria_results'));
  const data = Object.fromEntries(values.map(([id, result]) => [id, (result as Payload)?.value ?? null]));
  const goals = criteria
    .map(([id, criterion]) => [id, (criterion as Payload)?.result] as const)
    .filter(([, result]) => result === 'success' || result === 'failure')
    .map(([id, result]) => [id, result === 'success'] as const);
  return resultsOf(values.length > 0 ? data : undefined, Object.fromEntries(goals));
};

const SPEAKERS: Readonly<Record<string, Turn['speaker']>> = { agent: 'agent', user: 'caller' };

const seconds = (payload: Payload, name: string): number => numberOf(payload[name]) * 1_000;

const turnOf = (startedAt: number) => (turn: Payload) => {
  const speaker = entryOf(SPEAKERS, textIn(turn, 'role'));
  const text = textIn(turn, 'message', 4_096);
  const at = timeIn({ at: startedAt + seconds(turn, 'time_in_call_secs') }, 'at');
  return speaker && text ? { speaker, text, ...(at && { at }) } : undefined;
};

const endedBy = (reason = '') => {
  if (/end_call|agent/i.test(reason)) return 'agent';
  return /client|remote|user|caller/i.test(reason) ? 'caller' : 'system';
};

const transcription = (data: Payload) => {
  const [metadata, analysis] = [objectIn(data, 'metadata'), objectIn(data, 'analysis')];
  const [phone, sent] = [
    objectIn(metadata, 'phone_call'),
    objectIn(data, 'conversation_initiation_client_data'),
  ];
  const start = seconds(metadata, 'start_time_unix_secs');
  const duration = seconds(metadata, 'call_duration_secs');
  const event = eventOf({
    type: 'call',
    provider_id: textIn(phone, 'call_sid') ?? textIn(data, 'conversation_id'),
    direction: phone.direction === 'outbound' ? 'outbound' : 'inbound',
    number: textIn(phone, 'external_number', 64) ?? 'unknown',
    status: data.status === 'failed' ? 'failed' : 'completed',
    ...timesOf(timeIn({ start }, 'start'), timeIn({ end: start + duration }, 'end')),
    ended_by: endedBy(textIn(metadata, 'termination_reason')),
    session_id: textIn(objectIn(sent, 'dynamic_variables'), SESSION),
    summary: textIn(analysis, 'transcript_summary', 2_000),
    cost: costIn(metadata, 'cost_fiat'),
    ...resultsIn(analysis),
  });
  return { event, turns: turnsIn(data, 'transcript', turnOf(start)) };
};

const REASONS: Readonly<Record<string, CallStatus>> = { busy: 'busy', 'no-answer': 'no_answer' };

/** An outbound call that was not answered. */
const failure = (data: Payload) => {
  const provider = objectIn(objectIn(data, 'metadata'), 'body');
  const event = eventOf({
    type: 'call',
    provider_id: textIn(provider, 'CallSid') ?? textIn(data, 'conversation_id'),
    direction: 'outbound',
    number: textIn(provider, 'To', 64) ?? textIn(provider, 'to_number', 64) ?? 'unknown',
    status: entryOf(REASONS, textIn(data, 'failure_reason')) ?? 'failed',
  });
  return { event, turns: [] };
};

/** The config can have the members of the response, such as `conversation_config_override`. */
const answer = (session: PlatformSession) => ({
  ...session.config,
  type: 'conversation_initiation_client_data',
  dynamic_variables: variablesOf(session, objectIn(session.config, 'dynamic_variables')),
});

export const elevenlabs: Adapter = {
  proof:
    'ElevenLabs sends the secret of the channel as a bearer token, and signs post-call webhooks in ElevenLabs-Signature; set their secret as the platform_secret of the channel',
  provenBy: (headers) => {
    if (headers['elevenlabs-signature'] !== undefined) return 'platform_secret';
    return bearerOf({ headers }) === undefined ? undefined : 'secret';
  },
  isAuthentic,
  read: (body) => {
    const data = objectIn(body, 'data');
    if (body.type === 'post_call_transcription') return transcription(data);
    if (body.type === 'call_initiation_failure') return failure(data);
    if (textIn(body, 'call_sid') === undefined) return undefined;
    const number = textIn(body, 'caller_id', 64);
    const provider_id = textIn(body, 'call_sid');
    return { start: sessionCreate.read(defined({ provider_id, direction: 'inbound', number })) };
  },
  answer,
};
