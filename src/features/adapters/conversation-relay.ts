import { ApiError, conflict } from '../../lib/errors.ts';
import { parseForm } from '../../lib/form.ts';
import { parseObject } from '../../lib/json.ts';
import { isObject } from '../../lib/validation.ts';
import type { CallEvent } from '../calls/call.schema.ts';
import { sessionCreate } from '../calls/session.schema.ts';
import type { Turn } from '../calls/transcript.schema.ts';
import { readTwilio } from '../calls/twilio.ts';
import { isSignedTwilio } from '../channels/signature.ts';
import type { Adapter, PlatformRequest, PlatformSession } from './adapter.ts';
import {
  callOfHook,
  entryOf,
  eventOf,
  objectIn,
  type Payload,
  resultsOf,
  textIn,
  turnsIn,
  variablesOf,
} from './payload.ts';

/* Twilio's ConversationRelay: the voice webhook of a number, the end of a session, and status callbacks
 * (docs/runtimes/twilio-conversationrelay.md). */

/** Undefined if the service would refuse what is read. */
const ifReadable = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
};

/** A form with too many fields is refused like any other without a signature. */
const isAuthentic = ({ headers, body, url }: PlatformRequest, token: string): boolean =>
  ifReadable(() => isSignedTwilio(token, url, parseForm(body), String(headers['x-twilio-signature']))) ??
  false;

/** Part of a form that Roster would refuse as a whole. A call is answered also if its party cannot be read. */
const usable = ([name, value]: [string, string]): [string, string][] => {
  if (name === 'From' || name === 'To') return [[name, textIn({ value }, 'value', 64) ?? 'unknown']];
  return name === 'CallDuration' && !SECONDS.test(value) ? [] : [[name, value]];
};
const SECONDS = /^\d{1,7}$/;

const readEvent = (form: URLSearchParams): CallEvent =>
  readTwilio(new URLSearchParams([...form].flatMap(usable)));

/** Callbacks about recordings and the like have none of these. */
const STATUSES = ['CallStatus', 'MessageStatus', 'SmsStatus'];

/** Members of reports, which a request for TwiML does not have. */
const OF_REPORTS = ['SessionStatus', 'CallbackSource', 'SequenceNumber'];

const asksForTwiml = (form: URLSearchParams, { type, status }: CallEvent): boolean =>
  type === 'call' &&
  (status === 'ringing' || status === 'in_progress') &&
  !OF_REPORTS.some((name) => form.has(name));

/** What your server sent with the end of the session. */
const handoffOf = (text: string | null): Payload => ifReadable(() => parseObject(text || '{}')) ?? {};

const SPEAKERS: Readonly<Record<string, Turn['speaker']>> = { agent: 'agent', caller: 'caller' };

const turnOf = (turn: Payload) => {
  const speaker = entryOf(SPEAKERS, textIn(turn, 'speaker'));
  const text = textIn(turn, 'text', 4_096);
  return speaker && text ? { speaker, text } : undefined;
};

const ENDED_BY: Readonly<Record<string, string>> = { ended: 'agent', completed: 'caller', failed: 'system' };

/** When a session started, by its duration: often no other report of the call comes before its end. */
const sessionStart = (form: URLSearchParams): string | undefined => {
  const [seconds] = SECONDS.exec(form.get('SessionDuration') ?? '') ?? [];
  return seconds && new Date(Date.now() - Number(seconds) * 1_000).toISOString();
};

/** The end of a session ends its call, because the answer has no further verbs. */
const endOf = (form: URLSearchParams, event: CallEvent, session_id: string | undefined) => {
  const status = form.get('SessionStatus') ?? '';
  const started_at = sessionStart(form);
  const { summary, transcript, ...data } = handoffOf(form.get('HandoffData'));
  return {
    event: eventOf({
      ...event,
      ...(started_at && { started_at }),
      status: status === 'failed' ? 'failed' : 'completed',
      ended_by: entryOf(ENDED_BY, status),
      session_id,
      summary: textIn({ summary }, 'summary', 2_000),
      ...(Object.keys(data).length > 0 && resultsOf(data)),
    }),
    turns: turnsIn({ transcript }, 'transcript', turnOf),
  };
};

/** Text for an attribute. XML has no other control characters than these, whose line ends would become spaces. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[&<>"\p{Cc}\ufffe\uffff]/gu, (character) => entryOf(ENTITIES, character) ?? '');

const isAttribute = ([name, value]: [string, unknown]) =>
  /^[a-z][a-z0-9_]*$/i.test(name) && ['string', 'number', 'boolean'].includes(typeof value);

const element = (name: string, attributes: Payload, children: readonly string[] = []): string => {
  const texts = Object.entries(attributes)
    .filter(isAttribute)
    .map(([each, value]) => ` ${each}="${escaped(String(value))}"`);
  return `<${name}${texts.join('')}>${children.join('')}</${name}>`;
};

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
/** Of TwiML. */
const MAX_BYTES = 64_000;

/** The config has the attributes of ConversationRelay, its `languages`, and `parameters`. */
const answer = (session: PlatformSession, hook: string): string => {
  const { languages, parameters, action, ...attributes } = session.config;
  if (typeof attributes.url !== 'string')
    throw conflict(
      "The deployed version's config has no url. Set it to the wss:// address of your ConversationRelay server, and deploy.",
    );
  const { instructions, ...values } = variablesOf(session, objectIn({ parameters }, 'parameters'));
  const twiml = (of: Payload) => {
    const inner = [
      ...(Array.isArray(languages) ? languages : [])
        .filter(isObject)
        .map((each) => element('Language', each)),
      ...Object.entries(of).map(([name, value]) => element('Parameter', { name, value })),
    ];
    const relay = element('ConversationRelay', attributes, inner);
    return DECLARATION + element('Response', {}, [element('Connect', { action: action ?? hook }, [relay])]);
  };
  const whole = twiml({ ...values, instructions });
  return Buffer.byteLength(whole) <= MAX_BYTES ? whole : twiml(values);
};

export const conversationRelay: Adapter = {
  proof:
    'Twilio signs the URL and the form in X-Twilio-Signature; set the auth token of your account as the platform_secret of the channel, and behind a proxy TRUST_PROXY',
  provenBy: (headers) => (headers['x-twilio-signature'] === undefined ? undefined : 'platform_secret'),
  isAuthentic,
  read: () => undefined,
  readForm: (form, { query }) => {
    if (!STATUSES.some((name) => form.has(name))) return undefined;
    const event = readEvent(form);
    const { provider_id, direction, number } = event;
    if (asksForTwiml(form, event)) return { start: sessionCreate.read({ provider_id, direction, number }) };
    if (form.has('SessionStatus')) return endOf(form, event, callOfHook(query).session_id);
    return { event, turns: [] };
  },
  answer,
  received: `${DECLARATION}<Response/>`,
};
