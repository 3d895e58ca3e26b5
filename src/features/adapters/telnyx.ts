import { createHash, createPublicKey, verify } from 'node:crypto';
import { isObject } from '../../lib/validation.ts';
import type { CallStatus } from '../calls/call.schema.ts';
import { sessionCreate } from '../calls/session.schema.ts';
import type { Turn } from '../calls/transcript.schema.ts';
import type { Adapter, PlatformRequest, PlatformSession } from './adapter.ts';
import {
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
  turnsIn,
  variablesOf,
} from './payload.ts';
import { readStatusCallback } from './texml.ts';

/* Telnyx: the dynamic variables webhook of an AI assistant, and the events of its calls (docs/runtimes/telnyx.md). */

/** How much Telnyx's clock may differ from ours. */
const TOLERANCE_MS = 300_000;

/** The 32 bytes of a public key, and the 64 bytes of a signature, in base64. */
const KEY = /^[A-Za-z0-9+/]{43}=$/;
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;

/** A malformed key verifies nothing, and takes as long. */
const keyOf = (stored: string) => {
  const bytes = KEY.test(stored)
    ? Buffer.from(stored, 'base64')
    : createHash('sha256').update(stored).digest();
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
  return createPublicKey({ key: jwk, format: 'jwk' });
};

/** The time in seconds, and the Ed25519 signature of that time and the body, in base64. */
const isAuthentic = ({ headers, body }: PlatformRequest, publicKey: string): boolean => {
  const time = String(headers['telnyx-timestamp'] ?? '');
  const sent = String(headers['telnyx-signature-ed25519'] ?? '');
  const isFormed = KEY.test(publicKey) && SIGNATURE.test(sent) && /^\d{1,12}$/.test(time);
  const signed = Buffer.from(`${time}|${body}`);
  const isSigned = verify(null, signed, keyOf(publicKey), Buffer.from(sent, 'base64'));
  return isFormed && isSigned && Math.abs(Date.now() - Number(time) * 1_000) <= TOLERANCE_MS;
};

/** The status of a call by the cause of its end. The rest has been answered. */
const STATUSES: Readonly<Record<string, CallStatus>> = {
  user_busy: 'busy',
  call_rejected: 'busy',
  no_answer: 'no_answer',
  timeout: 'no_answer',
  originator_cancel: 'canceled',
  not_found: 'failed',
};

const SPEAKERS: Readonly<Record<string, Turn['speaker']>> = { assistant: 'agent', user: 'caller' };

const turnOf = (message: Payload) => {
  const speaker = entryOf(SPEAKERS, textIn(message, 'role'));
  const text = textIn(message, 'content', 4_096);
  return speaker && text ? { speaker, text } : undefined;
};

/** Insights are texts or, if they have a schema, objects. */
const insightsOf = ({ results }: Payload) => {
  const insights = Array.isArray(results) ? results.filter(isObject) : [];
  const members = insights.flatMap(({ result }) => (isObject(result) ? Object.entries(result) : []));
  return {
    summary: insights.map((insight) => textIn(insight, 'result', 2_000)).find((text) => text !== undefined),
    ...(members.length > 0 && resultsOf(Object.fromEntries(members))),
  };
};

/** What an event says about its call, besides the parties. */
const EVENTS: Readonly<Record<string, (payload: Payload, at: string | undefined) => Payload>> = {
  'call.initiated': () => ({ status: 'ringing' }),
  'call.answered': () => ({ status: 'in_progress' }),
  'call.ai_gather.message_history_updated': () => ({}),
  'call.conversation.ended': (payload, ended_at) => ({
    status: 'completed',
    ended_at,
    seconds: Math.round(numberOf(payload.duration_sec)),
  }),
  'call.hangup': (payload, ended_at) => ({
    status: entryOf(STATUSES, textIn(payload, 'hangup_cause')) ?? 'completed',
    ended_at,
  }),
  'call.conversation_insights.generated': insightsOf,
};

/** Only the first event of a call has its direction, which the call keeps. */
const partiesOf = (payload: Payload) => {
  const isOutgoing = payload.direction === 'outgoing';
  return {
    direction: isOutgoing ? 'outbound' : 'inbound',
    number: textIn(payload, isOutgoing ? 'to' : 'from', 64) ?? 'unknown',
  };
};

const reportOf = (data: Payload, payload: Payload, type: string) => ({
  event: eventOf({
    type: 'call',
    provider_id: textIn(payload, 'call_control_id'),
    ...partiesOf(payload),
    started_at: timeIn(payload, 'start_time'),
    ...entryOf(EVENTS, type)?.(payload, timeIn(data, 'occurred_at')),
  }),
  turns: turnsIn(payload, 'message_history', turnOf),
});

/** A conversation without a call has only the id of this event. The direction is not sent. */
const startOf = (data: Payload, payload: Payload) => ({
  start: sessionCreate.read(
    defined({
      provider_id: textIn(payload, 'call_control_id') ?? textIn(data, 'id'),
      direction: 'inbound',
      number: textIn(payload, 'telnyx_end_user_target', 64),
    }),
  ),
});

/** The config can have the members of the response: `dynamic_variables`, `memory` and `conversation`. */
const answer = (session: PlatformSession) => {
  const { config } = session;
  const conversation = objectIn(config, 'conversation');
  const metadata = { ...objectIn(conversation, 'metadata'), [SESSION]: session.session_id };
  return {
    dynamic_variables: variablesOf(session, objectIn(config, 'dynamic_variables')),
    ...(isObject(config.memory) && { memory: config.memory }),
    conversation: { ...conversation, metadata },
  };
};

export const telnyx: Adapter = {
  proof:
    'Telnyx signs the body in Telnyx-Signature-Ed25519; set the public key of your account as the platform_secret of the channel',
  provenBy: (headers) => (headers['telnyx-signature-ed25519'] === undefined ? undefined : 'platform_secret'),
  isAuthentic,
  read: (body) => {
    const data = objectIn(body, 'data');
    const payload = objectIn(data, 'payload');
    const type = textIn(data, 'event_type') ?? '';
    if (type === 'assistant.initialization') return startOf(data, payload);
    return entryOf(EVENTS, type) && reportOf(data, payload, type);
  },
  readForm: (form) => readStatusCallback(Object.fromEntries(form)),
  answer,
};
