import type { CallEvent, CallStatus } from '../calls/call.schema.ts';
import type { CallSettings } from '../calls/call-settings.schema.ts';
import type { Turn } from '../calls/transcript.schema.ts';
import type { ChannelCreate } from '../channels/channel.schema.ts';
import type { Dice } from './dice.ts';

type Line = Omit<ChannelCreate, 'twilio_auth_token'> & {
  agent: number | null;
  share: number;
  inbound: number;
};

/** Channels with the index of the connected agent, their relative share of all calls, and the share of inbound ones. */
export const lines: readonly Line[] = [
  { kind: 'phone', name: 'Order line', address: '+14155550110', agent: 0, share: 46, inbound: 1 },
  { kind: 'phone', name: 'Repair line', address: '+12065550111', agent: 1, share: 22, inbound: 0.82 },
  { kind: 'phone', name: 'Tasting calls', address: '+13125550112', agent: 2, share: 9, inbound: 0 },
  { kind: 'whatsapp', name: 'WhatsApp orders', address: '+447700900113', agent: 0, share: 18, inbound: 0.7 },
  { kind: 'sms', name: 'Accounts by text', address: '+12125550114', agent: 3, share: 4, inbound: 0.6 },
  { kind: 'web_chat', name: 'Shop chat', address: 'shop.halden-moss.example', agent: null, share: 0, inbound: 1 },
]; // biome-ignore format: a table

const HOUR_MS = 3_600_000;
const DAYS = 60;
/** Calls and messages on a Wednesday. */
const USUAL = 14;
/** How busy each day of the week is, Sunday first. */
const WEEKDAYS = [0.12, 0.88, 1.05, 1, 0.96, 0.8, 0.3];

const SHARES = Object.fromEntries(lines.map(({ share }, line) => [line, share]));
const OUTCOMES: Partial<Record<CallStatus, number>> = {
  completed: 80, no_answer: 12, busy: 4, canceled: 2, failed: 2,
}; // biome-ignore format: a table

export const callSettings: CallSettings = {
  dispositions: [
    { key: 'ordered', label: 'Ordered' },
    { key: 'booked', label: 'Appointment booked' },
    { key: 'question', label: 'Question answered' },
    { key: 'call_back', label: 'Call back later' },
    { key: 'not_interested', label: 'Not interested' },
  ],
  field_rules: [{ data: 'company', field: 'company', mode: 'if_empty' }],
  transcript_days: 90,
};

/** How calls end on each line, and what is then true. */
const RESULTS: readonly Readonly<Record<string, { share: number; reached: boolean; summaries: readonly string[] }>>[] = [
  {
    ordered: { share: 52, reached: true, summaries: ['Ordered two bags of the house espresso.', 'Added a grinder brush to the usual order.'] },
    question: { share: 38, reached: false, summaries: ['Asked when the parcel arrives.', 'Asked which roast suits a moka pot.'] },
    call_back: { share: 10, reached: false, summaries: ['Was driving and asks for a call in the evening.'] },
  },
  {
    booked: { share: 61, reached: true, summaries: ['Booked a descaling for Thursday.', 'Brings the machine in on Monday.'] },
    question: { share: 29, reached: false, summaries: ['The pump is loud; explained how to bleed it.'] },
    call_back: { share: 10, reached: false, summaries: ['Looks for the serial number first.'] },
  },
  {
    booked: { share: 34, reached: true, summaries: ['Comes to the tasting with a friend.'] },
    not_interested: { share: 46, reached: false, summaries: ['Drinks tea only.', 'Has no time this season.'] },
    call_back: { share: 20, reached: false, summaries: ['Asks again next week.'] },
  },
]; // biome-ignore format: a table
const GOALS = ['order_placed', 'repair_booked', 'tasting_booked'];

const resultAfter = (dice: Dice, line: number): Partial<CallEvent> => {
  const outcomes = RESULTS[line] ?? {};
  const shares = Object.fromEntries(Object.entries(outcomes).map(([key, { share }]) => [key, share]));
  const disposition = dice.weighted(shares);
  const { reached = false, summaries = [] } = outcomes[disposition] ?? {};
  const goal = GOALS[line];
  return {
    disposition,
    summary: summaries[dice.between(0, summaries.length - 1)] ?? '',
    ended_by: dice.chance(0.7) ? 'caller' : 'agent',
    ...(goal && { goals: { [goal]: reached } }),
  };
};

/** What was said in a sample call. */
export const sampleTurns: readonly Turn[] = [
  { speaker: 'agent', text: 'Halden & Moss, good morning. What can I do for you?' },
  { speaker: 'caller', text: 'I would like the same as last time, please.' },
  { speaker: 'agent', text: 'Two bags of the house espresso, whole beans. Shall I send them today?' },
  { speaker: 'caller', text: 'Yes, thank you.' },
];

/** A call, and the index of its channel. */
const callAt = (dice: Dice, at: number, number: string, line: number) => {
  const { kind, inbound } = lines[line] as Line;
  const isCall = kind === 'phone';
  const status = dice.weighted(isCall ? OUTCOMES : { completed: 97, failed: 3 });
  // Most calls are short; a few are long.
  const seconds = isCall && status === 'completed' ? Math.round(25 + 420 * dice.roll() ** 2.2) : 0;
  const event: CallEvent = {
    type: isCall ? 'call' : 'message',
    provider_id: `${isCall ? 'CA' : 'SM'}${dice.between(1e14, 9e14)}`,
    direction: dice.chance(inbound) ? 'inbound' : 'outbound',
    number,
    status,
    // Without a reported start, a call belongs to the version that is active now.
    ended_at: new Date(at + seconds * 1_000).toISOString(),
    seconds,
    ...(isCall && status === 'completed' && resultAfter(dice, line)),
  };
  return { line, event };
};

/** The calls and messages of the last sixty days, oldest first: during working hours, few on weekends. Each of `strangers` calls
 *  the first line once; the first of `known` call more often than the last. */
export const sampleCalls = (
  dice: Dice,
  now: number,
  { known, strangers }: { known: readonly string[]; strangers: readonly string[] },
) => {
  const dayAgo = (ago: number) => (Math.floor(now / HOUR_MS / 24) - ago) * 24 * HOUR_MS;
  const first = strangers.map((number) => ({ day: dayAgo(dice.between(1, DAYS)), number, line: 0 }));
  const later = Array.from({ length: DAYS }, (_, ago) => {
    const day = dayAgo(ago + 1);
    const count = Math.round(USUAL * (WEEKDAYS[new Date(day).getUTCDay()] ?? 1) * (0.85 + 0.3 * dice.roll()));
    return Array.from({ length: count }, () => {
      const number = known[Math.floor(dice.roll() ** 2 * known.length)] ?? '';
      return { day, number, line: Number(dice.weighted(SHARES)) };
    });
  });
  return [...first, ...later.flat()]
    .map((call) => ({ ...call, at: call.day + (8 + 10 * dice.roll()) * HOUR_MS }))
    .sort((one, other) => one.at - other.at)
    .map(({ at, number, line }) => callAt(dice, at, number, line));
};
