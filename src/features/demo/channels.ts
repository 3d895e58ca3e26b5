import type { ChannelKind } from '../channels/channel.schema.ts';
import { channelId } from '../channels/channel.service.ts';
import { type Calendar, iso } from './calendar.ts';
import { type Dice, uuidAt } from './dice.ts';

interface ChannelPlan {
  readonly kind: ChannelKind;
  readonly name: string;
  readonly address: string;
  /** The index of the connected agent. */
  readonly agent: number | null;
  /** When it was created, in days before today. */
  readonly ago: number;
  /** Its relative share of all calls. */
  readonly share: number;
  /** The share of inbound calls. */
  readonly inbound: number;
}

const PLANS: readonly ChannelPlan[] = [
  { kind: 'phone', name: 'Order line', address: '+14155550110', agent: 0, ago: 83, share: 46, inbound: 0.9 },
  { kind: 'phone', name: 'Repair line', address: '+12065550111', agent: 1, ago: 57, share: 22, inbound: 0.82 },
  { kind: 'phone', name: 'Tasting calls', address: '+13125550112', agent: 2, ago: 47, share: 9, inbound: 0 },
  { kind: 'whatsapp', name: 'WhatsApp orders', address: '+447700900113', agent: 0, ago: 38, share: 18, inbound: 0.7 },
  { kind: 'sms', name: 'Accounts by text', address: '+12125550114', agent: 3, ago: 14, share: 4, inbound: 0.6 },
  { kind: 'web_chat', name: 'Shop chat', address: 'shop.halden-moss.example', agent: null, ago: 3, share: 0, inbound: 1 },
]; // biome-ignore format: a table

export interface SampleChannel extends Omit<ChannelPlan, 'ago'> {
  readonly id: string;
  readonly at: number;
  readonly created_at: string;
}

/** Oldest first. */
export const sampleChannels = (dice: Dice, calendar: Calendar): SampleChannel[] =>
  PLANS.map(({ ago, ...line }) => {
    const at = calendar.on(ago);
    return { ...line, id: channelId.parse(uuidAt(dice, at)) ?? '', at, created_at: iso(at) };
  });

/** Numbers that contacts must not have. */
export const ownNumbers: readonly string[] = PLANS.map(({ address }) => address);
