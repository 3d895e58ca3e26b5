import type { CallEvent, CallStatus } from '../calls/call.schema.ts';
import type { ChannelCreate } from '../channels/channel.schema.ts';
import type { Dice } from './dice.ts';

type Line = Omit<ChannelCreate, 'twilio_auth_token'> & {
  agent: number | null;
  share: number;
  inbound: number;
};

/** Channels with the index of the connected agent, their relative share of all calls, and the share of inbound ones. */
export const lines: readonly Line[] = [
  { kind: 'phone', name: 'Order line', address: '+14155550110', agent: 0, share: 46, inbound: 0.9 },
  { kind: 'phone', name: 'Repair line', address: '+12065550111', agent: 1, share: 22, inbound: 0.82 },
  { kind: 'phone', name: 'Tasting calls', address: '+13125550112', agent: 2, share: 9, inbound: 0 },
  { kind: 'whatsapp', name: 'WhatsApp orders', address: '+447700900113', agent: 0, share: 18, inbound: 0.7 },
  { kind: 'sms', name: 'Accounts by text', address: '+12125550114', agent: 3, share: 4, inbound: 0.6 },
  { kind: 'web_chat', name: 'Shop chat', address: 'shop.halden-moss.example', agent: null, share: 0, inbound: 1 },
]; // biome-ignore format: a table

const DAY_MS = 86_400_000;
const DAYS = 60;
/** Calls and messages on a Wednesday. */
const USUAL = 14;
/** How busy each day of the week is, Sunday first. */
const WEEKDAYS = [0.12, 0.88, 1.05, 1, 0.96, 0.8, 0.3];

const OUTCOMES: Record<'inbound' | 'outbound', Partial<Record<CallStatus, number>>> = {
  inbound: { completed: 90, no_answer: 3, busy: 2, canceled: 4, failed: 1 },
  outbound: { completed: 64, no_answer: 26, busy: 6, canceled: 1, failed: 3 },
};

/** A call, and the index of its channel. */
const callAt = (dice: Dice, at: number, number: string, isFirst: boolean) => {
  const shares = Object.fromEntries(lines.map(({ share }, index) => [index, share]));
  const line = isFirst ? 0 : Number(dice.weighted(shares));
  const { kind, inbound } = lines[line] as Line;
  const direction = isFirst || dice.chance(inbound) ? 'inbound' : 'outbound';
  const isCall = kind === 'phone';
  const status = dice.weighted(isCall ? OUTCOMES[direction] : { completed: 97, failed: 3 });
  // Most calls are short; a few are long.
  const seconds = isCall && status === 'completed' ? Math.round(25 + 420 * dice.roll() ** 2.2) : 0;
  // A caller with a hidden number has no contact.
  const isHidden = !isFirst && isCall && direction === 'inbound' && dice.chance(0.02);
  const event: CallEvent = {
    type: isCall ? 'call' : 'message',
    provider_id: `${isCall ? 'CA' : 'SM'}${dice.between(1e14, 9e14)}`,
    direction,
    number: isHidden ? 'anonymous' : number,
    status,
    // Without a reported start, a call belongs to the version that is active now.
    ended_at: new Date(at + seconds * 1_000).toISOString(),
    seconds,
  };
  return { line, event };
};

/** A time during working hours, `ago` days before today; on an earlier day if every call of it has not ended yet. */
const momentOf = (dice: Dice, now: number, ago: number): number => {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const at = today - ago * DAY_MS + (8 + 10 * dice.roll()) * 3_600_000;
  return at < now - 1_200_000 ? at : at - DAY_MS;
};

/** The calls and messages of the last sixty days, oldest first: more every week, few on weekends. Each of `strangers` calls
 *  once; the first of `known` call more often than the last. */
export const sampleCalls = (
  dice: Dice,
  now: number,
  { known, strangers }: { known: readonly string[]; strangers: readonly string[] },
) => {
  const first = strangers.map((number) => ({ ago: dice.between(1, DAYS - 1), number, isFirst: true }));
  const later = Array.from({ length: DAYS }, (_, ago) => {
    const weekday = WEEKDAYS[new Date(now - ago * DAY_MS).getUTCDay()] ?? 1;
    const count = Math.round(USUAL * (1.15 - (0.45 * ago) / DAYS) * weekday * (0.85 + 0.3 * dice.roll()));
    return Array.from({ length: count }, () => {
      const number = known[Math.floor(dice.roll() ** 2 * known.length)] ?? '';
      return { ago, number, isFirst: false };
    });
  });
  return [...first, ...later.flat()]
    .map((call) => ({ ...call, at: momentOf(dice, now, call.ago) }))
    .sort((one, other) => one.at - other.at)
    .map(({ at, number, isFirst }) => callAt(dice, at, number, isFirst));
};
