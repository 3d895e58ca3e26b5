import { DAY_MS } from '../../lib/clock.ts';
import type { CallEvent } from '../calls/call.schema.ts';
import { roll, weighted } from './people.ts';
import { dispositions, lines, shares } from './stories.ts';

const DAYS = 60;
/** Calls and messages of contacts, and of callers who are not contacts yet. */
const CALLS = 600;
export const STRANGERS = 75;
export const SAMPLE_CALLS = CALLS + STRANGERS;

/** How calls end, and how often. */
const STATUSES = { completed: 80, no_answer: 12, busy: 4, canceled: 2, failed: 2 };

const resultOf = (line: number): Partial<CallEvent> => {
  const possible = shares[line] ?? {};
  const [goal = ''] = Object.keys(possible);
  const disposition = weighted(possible);
  const ended_by = roll() < 0.7 ? 'caller' : 'agent';
  const [, summary] = dispositions[disposition];
  return { disposition, summary, ended_by, goals: { [goal]: disposition === goal } };
};

/** A call, and the index of its channel. */
const callAt = (at: number, number: string, line: number) => {
  const { kind, inbound } = lines[line] ?? lines[0];
  const isCall = kind === 'phone';
  const status = isCall ? weighted(STATUSES) : 'completed';
  const isAnswered = isCall && status === 'completed';
  // Most calls are short; a few are long.
  const seconds = isAnswered ? Math.round(25 + 420 * roll() ** 2.2) : 0;
  const event: CallEvent = {
    type: isCall ? 'call' : 'message',
    provider_id: `${isCall ? 'CA' : 'SM'}${Math.floor(roll() * 1e15)}`,
    direction: roll() < inbound ? 'inbound' : 'outbound',
    number,
    status,
    // Without a reported start, a call belongs to the version that is active now.
    ended_at: new Date(at + seconds * 1_000).toISOString(),
    seconds,
    ...(isAnswered && resultOf(line)),
  };
  return { line, event };
};

const lineShares = Object.fromEntries(lines.map(({ share }, line) => [line, share]));

/** A time during the working hours of the last sixty days, seldom on a weekend. */
const pastTime = (): number => {
  for (;;) {
    const day = Math.floor(Date.now() / DAY_MS) - Math.ceil(roll() * DAYS);
    const at = (day + (8 + 10 * roll()) / 24) * DAY_MS;
    if (![0, 6].includes(new Date(at).getUTCDay()) || roll() < 0.2) return at;
  }
};

/** Calls and messages, oldest first. Each of `strangers` calls the first line once; the first of `known` call more often than the
 *  last. */
export const sampleCalls = (known: readonly string[], strangers: readonly string[]) => {
  const later = Array.from({ length: CALLS }, () => ({
    number: known[Math.floor(roll() ** 2 * known.length)] ?? '',
    line: Number(weighted(lineShares)),
  }));
  return [...strangers.map((number) => ({ number, line: 0 })), ...later]
    .map((call) => ({ ...call, at: pastTime() }))
    .sort((one, other) => one.at - other.at)
    .map(({ at, number, line }) => callAt(at, number, line));
};
