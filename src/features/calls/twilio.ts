import { invalidRequest } from '../../lib/errors.ts';
import { isStorable } from '../../lib/text.ts';
import { parseEmailDate } from '../../lib/time.ts';
import { type CallEvent, type CallStatus, callStatuses, finalStatuses } from './call.schema.ts';

/** Twilio's words for each status of calls and messages. */
const WORDS: Record<CallStatus, readonly string[]> = {
  queued: ['queued', 'accepted', 'scheduled', 'initiated'],
  ringing: ['ringing'],
  in_progress: ['in-progress', 'sending', 'receiving'],
  completed: ['completed', 'sent', 'delivered', 'received', 'read'],
  busy: ['busy'],
  no_answer: ['no-answer'],
  canceled: ['canceled'],
  failed: ['failed', 'undelivered'],
};

/** Placeholders for a withheld number: ANONYMOUS, RESTRICTED, BLOCKED, UNKNOWN and UNAVAILABLE, typed on the keypad of a
 *  phone. */
const WITHHELD = new Set(['+266696687', '+7378742833', '+2562533', '+8656696', '+86282452253']);

/** A business-scoped user id of WhatsApp, such as `US.13491208655302741918`, which Twilio sends in place of a number that is hidden. */
const WHATSAPP_USER = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,125}$/;

/** The user id of a party on WhatsApp. */
const userOf = (form: URLSearchParams, party: string): CallEvent['user'] => {
  const value = [form.get('ExternalUserId') ?? '', party].find((each) => WHATSAPP_USER.test(each));
  return value === undefined ? undefined : { kind: 'whatsapp_user', value };
};

/** The number of a party, without the prefix of its channel. Other prefixes (`client:`, `sip:`, `messenger:`) have no number
 *  and stay as they are. */
const numberOf = (party: string): string => {
  const number = party.replace(/^(?:whatsapp|rcs|sms):/, '');
  return WITHHELD.has(number) ? 'anonymous' : number;
};

const requireText = (text: string | null, max: number, message: string): string => {
  if (!text || text.length > max || !isStorable(text)) throw invalidRequest(message);
  return text;
};

const secondsOf = (text: string | null): number | undefined => {
  if (!text) return undefined;
  if (!/^\d{1,7}$/.test(text)) throw invalidRequest('CallDuration must be a number of seconds.');
  return Number(text);
};

/** The time of a callback, or now if it has none that is valid. */
const timeOf = (text: string | null): number => {
  const time = parseEmailDate(text ?? '');
  return time === undefined ? Date.now() : Date.parse(time);
};

/** Reads Twilio's callback for a call or a message. */
export const readTwilio = (form: URLSearchParams): CallEvent => {
  const call = form.get('CallSid');
  const provider_id = requireText(
    call ?? form.get('MessageSid') ?? form.get('SmsSid'),
    255,
    'The form must contain a CallSid or a MessageSid.',
  );
  const word = form.get(call ? 'CallStatus' : 'MessageStatus') ?? form.get('SmsStatus') ?? '';
  const isOutbound = call
    ? (form.get('Direction') ?? '').startsWith('outbound')
    : !['', 'receiving', 'received'].includes(word);
  const party = form.get(isOutbound ? 'To' : 'From');
  const named = numberOf(party ?? '');
  const user = userOf(form, named);
  const isHidden = user !== undefined && (named === '' || named === user.value);
  const number = isHidden
    ? undefined
    : requireText(named, 64, 'The form must contain the number of the other party.');
  const status = callStatuses.find((each) => WORDS[each].includes(word));
  const seconds = secondsOf(form.get('CallDuration'));
  const time = timeOf(form.get('Timestamp'));
  const hasEnded = call !== null && status !== undefined && finalStatuses.includes(status);
  return {
    type: call ? 'call' : 'message',
    provider_id,
    direction: isOutbound ? 'outbound' : 'inbound',
    ...(number !== undefined && { number }),
    ...(user && { user }),
    ...(status && { status }),
    ...(seconds !== undefined && { seconds }),
    ...(hasEnded && {
      started_at: new Date(time - (seconds ?? 0) * 1000).toISOString(),
      ended_at: new Date(time).toISOString(),
    }),
  };
};
