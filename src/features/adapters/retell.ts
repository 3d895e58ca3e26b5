import { newUuid } from '../../lib/ids.ts';
import type { CallStatus } from '../calls/call.schema.ts';
import { sessionCreate } from '../calls/session.schema.ts';
import type { Turn } from '../calls/transcript.schema.ts';
import { isHmac } from '../channels/signature.ts';
import type { Adapter, PlatformRequest, PlatformSession } from './adapter.ts';
import {
  costIn,
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

/* Retell: the inbound webhook of a phone number, and the webhook of an agent (docs/runtimes/retell.md). */

/** How much Retell's clock may differ from ours. */
const TOLERANCE_MS = 300_000;

/** `v=` and the time in milliseconds, `d=` and the HMAC-SHA-256 of the body and that time, in hexadecimal digits. */
const isAuthentic = ({ headers, body }: PlatformRequest, apiKey: string): boolean => {
  const [, time = '', sent = ''] =
    /^v=(\d{1,15}),d=([0-9a-f]{64})$/i.exec(String(headers['x-retell-signature'] ?? '')) ?? [];
  return isHmac(apiKey, body + time, sent) && Math.abs(Date.now() - Number(time)) <= TOLERANCE_MS;
};

/** The status of a call by the reason of its end. The rest has been answered. */
const STATUSES: Readonly<Record<string, CallStatus>> = {
  dial_busy: 'busy',
  user_declined: 'busy',
  dial_no_answer: 'no_answer',
  error_user_not_joined: 'no_answer',
  registered_call_timeout: 'no_answer',
};
const FAILED = /^(?:error_|dial_failed|invalid_|telephony_|sip_|no_|concurrency_|scam_|marked_as_spam)/;
const statusOf = (reason: string): CallStatus =>
  entryOf(STATUSES, reason) ?? (FAILED.test(reason) ? 'failed' : 'completed');

const ENDED_BY: Readonly<Record<string, 'agent' | 'caller'>> = {
  user_hangup: 'caller',
  user_declined: 'caller',
  agent_hangup: 'agent',
  call_transfer: 'agent',
  transfer_bridged: 'agent',
};

const SPEAKERS: Readonly<Record<string, Turn['speaker']>> = { agent: 'agent', user: 'caller' };

/** The words have times from the start of the call. */
const turnOf = (startedAt: unknown) => (utterance: Payload) => {
  const speaker = entryOf(SPEAKERS, textIn(utterance, 'role'));
  const text = textIn(utterance, 'content', 4_096);
  const [word] = Array.isArray(utterance.words) ? utterance.words : [];
  const at = timeIn({ at: numberOf(startedAt) + numberOf(word?.start) * 1_000 }, 'at');
  return speaker && text ? { speaker, text, ...(at && { at }) } : undefined;
};

const reportOf = (event: string, call: Payload) => {
  const direction = call.direction === 'outbound' ? 'outbound' : 'inbound';
  const reason = textIn(call, 'disconnection_reason') ?? '';
  const analysis = objectIn(call, 'call_analysis');
  const started_at = timeIn(call, 'start_timestamp');
  const ended = event !== 'call_started' && {
    status: statusOf(reason),
    ended_by: entryOf(ENDED_BY, reason) ?? 'system',
    ...timesOf(started_at, timeIn(call, 'end_timestamp')),
  };
  return {
    event: eventOf({
      type: 'call',
      provider_id: textIn(call, 'call_id'),
      direction,
      number: textIn(call, direction === 'outbound' ? 'to_number' : 'from_number', 64) ?? 'unknown',
      status: 'in_progress',
      started_at,
      ...ended,
      session_id: textIn(objectIn(call, 'metadata'), SESSION),
      summary: textIn(analysis, 'call_summary', 2_000),
      recording_url: call.recording_url,
      // In cents.
      cost: costIn(objectIn(call, 'call_cost'), 'combined_cost', 100),
      ...resultsOf(analysis.custom_analysis_data),
    }),
    turns: turnsIn(call, 'transcript_object', turnOf(call.start_timestamp)),
  };
};

/** The call has no id yet. A request that is repeated has the same time. */
const startOf = (body: Payload, call: Payload) => {
  const time = body.event_timestamp;
  const number = textIn(call, 'from_number', 64);
  const provider_id = typeof time === 'number' ? `inbound ${number} ${time}` : `inbound ${newUuid()}`;
  return { start: sessionCreate.read({ provider_id, direction: 'inbound', number: number ?? null }) };
};

/** The config can have the members of the response, such as `override_agent_id`. */
const answer = (session: PlatformSession) => {
  const { config } = session;
  return {
    call_inbound: {
      ...config,
      dynamic_variables: variablesOf(session, objectIn(config, 'dynamic_variables')),
      metadata: { ...objectIn(config, 'metadata'), [SESSION]: session.session_id },
    },
  };
};

const EVENTS = ['call_started', 'call_ended', 'call_analyzed'];

export const retell: Adapter = {
  proof:
    'Retell signs the body with your API key in X-Retell-Signature; set it as the platform_secret of the channel',
  provenBy: (headers) => (headers['x-retell-signature'] === undefined ? undefined : 'platform_secret'),
  isAuthentic,
  read: (body) => {
    const event = textIn(body, 'event') ?? '';
    if (event === 'call_inbound') return startOf(body, objectIn(body, 'call_inbound'));
    return EVENTS.includes(event) ? reportOf(event, objectIn(body, 'call')) : undefined;
  },
  answer,
};
