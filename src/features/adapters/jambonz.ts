import { conflict } from '../../lib/errors.ts';
import { isObject } from '../../lib/validation.ts';
import type { CallStatus } from '../calls/call.schema.ts';
import { sessionCreate } from '../calls/session.schema.ts';
import type { Turn } from '../calls/transcript.schema.ts';
import { isHmac } from '../channels/signature.ts';
import type { Adapter, PlatformRequest, PlatformSession } from './adapter.ts';
import {
  callOfHook,
  defined,
  entryOf,
  eventOf,
  numberOf,
  objectIn,
  type Payload,
  resultsOf,
  textIn,
  timeIn,
  variablesOf,
} from './payload.ts';

/* jambonz: the webhooks of an application, and the hooks of its verb (docs/runtimes/jambonz.md). */

/** How much jambonz' clock may differ from ours. */
const TOLERANCE_MS = 300_000;

/** `t=` and the time in seconds, then `v1=` and the HMAC-SHA-256 of that time, a period and the body, in hexadecimal digits. */
const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/i;
const signatureIn = ({ headers }: PlatformRequest) => {
  const [, time = '', sent = ''] = SIGNATURE.exec(String(headers['jambonz-signature'])) ?? [];
  return { time, sent, ms: Number(time) * 1_000 };
};

const isAuthentic = (request: PlatformRequest, secret: string): boolean => {
  const { time, sent, ms } = signatureIn(request);
  return isHmac(secret, `${time}.${request.body}`, sent) && Math.abs(Date.now() - ms) <= TOLERANCE_MS;
};

const STATUSES: Readonly<Record<string, CallStatus>> = {
  queued: 'queued',
  trying: 'ringing',
  ringing: 'ringing',
  'early-media': 'ringing',
  'in-progress': 'in_progress',
  completed: 'completed',
  failed: 'failed',
  busy: 'busy',
  'no-answer': 'no_answer',
};

const ENDED_BY: Readonly<Record<string, string>> = { caller: 'caller', jambonz: 'agent' };

const partiesOf = (body: Payload) => {
  const direction = body.direction === 'outbound' ? 'outbound' : 'inbound';
  return {
    provider_id: textIn(body, 'call_sid'),
    direction,
    number: textIn(body, direction === 'outbound' ? 'to' : 'from', 64),
  };
};

type Hook = ReturnType<typeof callOfHook>;

/** The first status of a call is `trying`. Only the last one has the duration, and the data that the application tagged the call with. */
const statusOf = (body: Payload, at: string | undefined, { session_id }: Hook) => {
  const { number = 'unknown', ...call } = partiesOf(body);
  const seconds = numberOf(body.duration);
  const isFirst = body.call_status === 'trying';
  return {
    event: eventOf({
      type: 'call',
      ...call,
      number,
      session_id,
      status: entryOf(STATUSES, textIn(body, 'call_status')),
      ended_by: entryOf(ENDED_BY, textIn(body, 'call_termination_by')),
      ...(isFirst && { started_at: at }),
      ...(seconds >= 0 && { seconds: Math.round(seconds), ended_at: at }),
      ...resultsOf(body.customerData),
    }),
    turns: [],
  };
};

/** What the caller said, and what the agent replied. The event does not name its call, its hook does. */
const turnsOf = (body: Payload, at: string | undefined, call: Hook) => {
  const said: [Turn['speaker'], string | undefined][] = [
    ['caller', textIn(body, 'transcript', 4_096)],
    ['agent', textIn(body, 'response', 4_096)],
  ];
  const turns = said.flatMap(([speaker, text]) => (text ? [{ speaker, text, ...(at && { at }) }] : []));
  const event = eventOf({ type: 'call', ...call, direction: 'inbound', number: 'unknown' });
  return { event, turns, isPart: true as const };
};

const PLACEHOLDER = /\{\{\s*([a-z_][a-z0-9_]*)\s*\}\}/g;

/** Of all values in an answer: a config can ask for the instructions thousands of times. */
const MAX_INSERTED = 1_048_576;

/** A config with the values of a session in its texts. */
const filled = (config: Payload, values: Readonly<Record<string, string>>): Payload => {
  let left = MAX_INSERTED;
  const insertedFor = (name: string): string | undefined => {
    const value = entryOf(values, name);
    left -= value?.length ?? 0;
    if (left >= 0) return value;
    throw conflict(
      `The placeholders in the deployed version's config stand for more than ${MAX_INSERTED} characters. Use {{instructions}} fewer times, and deploy.`,
    );
  };
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replace(PLACEHOLDER, (whole, name: string) => insertedFor(name) ?? whole);
    if (Array.isArray(value)) return value.map(fill);
    return isObject(value) ? fillAll(value) : value;
  };
  const fillAll = (members: Payload): Payload =>
    Object.fromEntries(Object.entries(members).map(([name, each]) => [name, fill(each)]));
  return fillAll(config);
};

/** jambonz' own agent has one place for the prompt, whichever model it uses. */
const agentOf = (config: Payload): Payload => {
  const llm = objectIn(config, 'llm');
  const llmOptions = { systemPrompt: '{{instructions}}', ...objectIn(llm, 'llmOptions') };
  return { ...config, llm: { ...llm, llmOptions } };
};

/** The config is a verb of jambonz; without a name, an `agent`. */
const answer = (session: PlatformSession, hook: string): object => {
  const { verb = 'agent', ...config } = session.config;
  const members = filled(verb === 'agent' ? agentOf(config) : config, variablesOf(session));
  return [{ verb, actionHook: hook, eventHook: hook, ...members }];
};

export const jambonz: Adapter = {
  proof:
    "jambonz signs the body with your account's webhook secret in Jambonz-Signature; set it as the platform_secret of the channel",
  provenBy: (headers) => (headers['jambonz-signature'] === undefined ? undefined : 'platform_secret'),
  isAuthentic,
  read: (body, request) => {
    const at = timeIn({ at: signatureIn(request).ms }, 'at');
    const hook = callOfHook(request.query);
    // Only a new call has the defaults of its application.
    if (isObject(body.defaults)) return { start: sessionCreate.read(defined(partiesOf(body))) };
    if (body.type === 'turn_end') return turnsOf(body, at, hook);
    // A call that this one dialed has its own statuses, and no agent.
    const isOwn = body.parent_call_sid === undefined;
    return isOwn && textIn(body, 'call_status') ? statusOf(body, at, hook) : undefined;
  },
  answer,
};
