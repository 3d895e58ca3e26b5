import type { IncomingHttpHeaders } from 'node:http';
import { bearerOf } from '../../http/pipeline/credentials.ts';
import { digest, isSameSecret } from '../../lib/encryption.ts';
import type { CallStatus } from '../calls/call.schema.ts';
import { sessionCreate } from '../calls/session.schema.ts';
import type { Turn } from '../calls/transcript.schema.ts';
import type { Adapter, PlatformSession } from './adapter.ts';
import {
  costIn,
  defined,
  entryOf,
  eventOf,
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

/* Vapi: messages to the server URL of a phone number (docs/runtimes/vapi.md). */

/** The status of a call by the reason of its end. The rest has been answered. Only the report of the end has the last word without a reason. */
const statusOf = (reason: string, type: string): CallStatus | undefined => {
  if (reason === '') return type === 'end-of-call-report' ? 'completed' : undefined;
  if (reason === 'customer-busy') return 'busy';
  if (reason === 'customer-did-not-answer') return 'no_answer';
  if (FAILED.test(reason)) return 'failed';
  return /cancel|deleted|hungup-before/.test(reason) ? 'canceled' : 'completed';
};
const FAILED =
  /error|fault|fail|reject|invalid|misdialed|not-found|not-valid|no-assistant|join-timed-out|no-call-received/;

const endedBy = (reason: string) => {
  if (reason === '') return undefined;
  if (/^customer-ended|hungup/.test(reason)) return 'caller';
  return /^assistant-(?:ended|said|forwarded)/.test(reason) ? 'agent' : 'system';
};

const STATUSES: Readonly<Record<string, CallStatus>> = {
  queued: 'queued',
  scheduled: 'queued',
  ringing: 'ringing',
  'in-progress': 'in_progress',
};

const partiesOf = (message: Payload) => {
  const call = objectIn(message, 'call');
  const customer = { ...objectIn(call, 'customer'), ...objectIn(message, 'customer') };
  return {
    provider_id: textIn(call, 'id'),
    direction: textIn(call, 'type') === 'outboundPhoneCall' ? ('outbound' as const) : ('inbound' as const),
    number: textIn(customer, 'number', 64),
  };
};

const SPEAKERS: Readonly<Record<string, Turn['speaker']>> = {
  bot: 'agent',
  assistant: 'agent',
  user: 'caller',
};

const turnOf = (message: Payload) => {
  const speaker = entryOf(SPEAKERS, textIn(message, 'role'));
  const text = textIn(message, 'message', 4_096);
  const at = timeIn(message, 'time');
  return speaker && text ? { speaker, text, ...(at && { at }) } : undefined;
};

/** A transient assistant has the metadata of the answer; a stored one was called with overrides. */
const sessionOf = (message: Payload) =>
  [objectIn(message, 'assistant'), objectIn(objectIn(message, 'call'), 'assistantOverrides')]
    .map((assistant) => textIn(objectIn(assistant, 'metadata'), SESSION))
    .find((id) => id !== undefined);

const reportOf = (message: Payload, type: string) => {
  const { number = 'unknown', ...call } = partiesOf(message);
  const reason = textIn(message, 'endedReason') ?? '';
  const hasEnded = type === 'end-of-call-report' || message.status === 'ended';
  const status = hasEnded ? statusOf(reason, type) : entryOf(STATUSES, textIn(message, 'status'));
  const [artifact, analysis] = [objectIn(message, 'artifact'), objectIn(message, 'analysis')];
  const started_at = timeIn(message, hasEnded ? 'startedAt' : 'timestamp');
  const ended_at = timeIn(message, 'endedAt');
  const event = eventOf({
    type: 'call',
    ...call,
    number,
    status,
    ...timesOf(started_at, ended_at),
    ended_by: hasEnded ? endedBy(reason) : undefined,
    session_id: sessionOf(message),
    summary: textIn(analysis, 'summary', 2_000),
    recording_url: artifact.recordingUrl,
    cost: costIn(message, 'cost'),
    ...resultsOf(analysis.structuredData),
  });
  return { event, turns: turnsIn(artifact, 'messages', turnOf) };
};

const DEFAULT_MODEL = { provider: 'openai', model: 'gpt-4o' };

/** The config is an assistant of Vapi, or names one by `assistantId`, with `assistantOverrides`. */
const answer = (session: PlatformSession): object => {
  const { config, instructions, session_id } = session;
  const metadata = (of: Payload) => ({ ...objectIn(of, 'metadata'), [SESSION]: session_id });
  if (typeof config.assistantId === 'string') {
    const overrides = objectIn(config, 'assistantOverrides');
    const variableValues = variablesOf(session, objectIn(overrides, 'variableValues'));
    return {
      assistantId: config.assistantId,
      assistantOverrides: { ...overrides, variableValues, metadata: metadata(overrides) },
    };
  }
  const model = { ...DEFAULT_MODEL, ...objectIn(config, 'model') };
  const messages = [{ role: 'system', content: instructions }];
  return { assistant: { ...config, model: { ...model, messages }, metadata: metadata(config) } };
};

const secretIn = (headers: IncomingHttpHeaders) => bearerOf({ headers }) ?? headers['x-vapi-secret'];

export const vapi: Adapter = {
  proof:
    'Vapi sends the secret of the channel as a bearer token or in X-Vapi-Secret; if it is lost, rotate it',
  provenBy: (headers) => (secretIn(headers) === undefined ? undefined : 'secret'),
  isAuthentic: ({ headers }, secret) => isSameSecret(String(secretIn(headers)), digest(secret)),
  read: (body) => {
    const message = objectIn(body, 'message');
    const type = textIn(message, 'type') ?? '';
    if (type === 'assistant-request') return { start: sessionCreate.read(defined(partiesOf(message))) };
    const isReport =
      type === 'end-of-call-report' ||
      (type === 'status-update' &&
        (message.status === 'ended' || entryOf(STATUSES, textIn(message, 'status'))));
    return isReport ? reportOf(message, type) : undefined;
  },
  answer,
};
