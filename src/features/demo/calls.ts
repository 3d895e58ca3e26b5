import type { CallStatus } from '../calls/call.schema.ts';
import { callId } from '../calls/call.service.ts';
import type { CallRow } from '../calls/call.store.ts';
import { type SampleAgent, versionAt } from './agents.ts';
import { type Calendar, iso } from './calendar.ts';
import type { SampleChannel } from './channels.ts';
import type { SampleContact } from './contacts.ts';
import { type Dice, uuidAt } from './dice.ts';

export type SampleCall = Omit<CallRow, 'workspace_id'>;

const DAYS = 60;
/** Calls and messages on a Wednesday. */
const USUAL = 31;

type Outcome = Extract<CallStatus, 'completed' | 'no_answer' | 'busy' | 'canceled' | 'failed'>;
const OUTCOMES: Record<'inbound' | 'outbound', Record<Outcome, number>> = {
  inbound: { completed: 90, no_answer: 3, busy: 2, canceled: 4, failed: 1 },
  outbound: { completed: 64, no_answer: 26, busy: 6, canceled: 1, failed: 3 },
};

interface World {
  readonly dice: Dice;
  readonly calendar: Calendar;
  readonly agents: readonly SampleAgent[];
  readonly channels: readonly SampleChannel[];
  /** Oldest first. */
  readonly contacts: readonly SampleContact[];
}

/** Most calls are short; a few are long. */
const courseOf = (dice: Dice, isMessage: boolean, direction: 'inbound' | 'outbound', at: number) => {
  if (isMessage) {
    return {
      status: dice.chance(0.03) ? ('failed' as const) : ('completed' as const),
      ended_at: null,
      seconds: null,
    };
  }
  const status = dice.weighted(OUTCOMES[direction]);
  const seconds = status === 'completed' ? Math.round(25 + 420 * dice.roll() ** 2.2) : 0;
  const ringing = dice.between(4, 25);
  return { status, ended_at: iso(at + (seconds + ringing) * 1000), seconds };
};

const callOf = (
  { dice, agents }: World,
  {
    at,
    channel,
    contact,
    direction,
  }: {
    at: number;
    channel: SampleChannel;
    contact: SampleContact | null;
    direction: 'inbound' | 'outbound';
  },
): SampleCall => {
  const isMessage = channel.kind !== 'phone';
  const agent = channel.agent === null ? undefined : agents[channel.agent];
  const version = agent && versionAt(agent, at);
  return {
    id: callId.parse(uuidAt(dice, at)) ?? '',
    channel_id: channel.id,
    contact_id: contact?.id ?? null,
    agent_id: agent && version ? agent.id : null,
    version_id: version ?? null,
    medium: isMessage ? 'message' : 'call',
    direction,
    // A caller with a hidden number has no contact.
    number: contact?.phone_identity ?? 'anonymous',
    number_identity: contact?.phone_identity ?? null,
    provider_id: `${isMessage ? 'SM' : 'CA'}${dice.hex(32)}`,
    started_at: iso(at),
    ...courseOf(dice, isMessage, direction, at),
  };
};

/** A random channel that existed at a time. */
const channelAt = ({ dice, channels }: World, at: number): SampleChannel => {
  const open = channels.filter((channel) => channel.at < at);
  const id = dice.weighted(Object.fromEntries(open.map((channel) => [channel.id, channel.share])));
  return channels.find((channel) => channel.id === id) as SampleChannel;
};

/** The first calls of contacts that exist only because they called. */
const firstCalls = (world: World): SampleCall[] =>
  world.contacts
    .filter(({ source }) => source === 'inbound')
    .map((contact) => {
      const channel = channelAt(world, contact.at);
      const answering = channel.inbound > 0 ? channel : (world.channels[0] as SampleChannel);
      return callOf(world, { at: contact.at, channel: answering, contact, direction: 'inbound' });
    });

/** All other calls: more every week, few on weekends. Old customers call more often than new ones. */
const laterCalls = (world: World): SampleCall[] => {
  const { dice, calendar, contacts } = world;
  return Array.from({ length: DAYS }, (_, ago) => {
    const growth = 1.15 - (0.45 * ago) / DAYS;
    const count = Math.round(USUAL * growth * calendar.busyness(ago) * (0.85 + 0.3 * dice.roll()));
    const moments = Array.from({ length: count }, () => calendar.moment(ago));
    return moments
      .filter((at) => at !== undefined)
      .map((at) => {
        const channel = channelAt(world, at);
        const direction = dice.chance(channel.inbound) ? ('inbound' as const) : ('outbound' as const);
        const known = contacts.filter((contact) => contact.at < at);
        const isHidden = direction === 'inbound' && channel.kind === 'phone' && dice.chance(0.02);
        const contact = isHidden ? null : (known[Math.floor(dice.roll() ** 2 * known.length)] ?? null);
        return callOf(world, { at, channel, contact, direction });
      });
  }).flat();
};

/** The calls and messages of the last sixty days, oldest first. */
export const sampleCalls = (world: World): SampleCall[] =>
  [...firstCalls(world), ...laterCalls(world)].sort((one, other) =>
    one.started_at < other.started_at ? -1 : 1,
  );
