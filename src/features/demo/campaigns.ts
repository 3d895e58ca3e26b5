import type { CampaignStatus, EnrollmentStatus } from '../campaigns/campaign.schema.ts';
import { campaignId } from '../campaigns/campaign.service.ts';
import { type Calendar, iso } from './calendar.ts';
import type { SampleContact } from './contacts.ts';
import { type Dice, uuidAt } from './dice.ts';

interface Plan {
  readonly name: string;
  readonly status: CampaignStatus;
  /** The index of the agent. */
  readonly agent: number;
  readonly ago: number;
  /** When the status last changed, in days before today. */
  readonly changed: number;
  /** How many contacts were enrolled, and when, in days before today. */
  readonly batches: readonly { readonly ago: number; readonly count: number }[];
  readonly states: Record<EnrollmentStatus, number>;
}

const PLANS: readonly Plan[] = [
  {
    name: 'Grinder check-up',
    status: 'finished',
    agent: 2,
    ago: 46,
    changed: 33,
    batches: [{ ago: 46, count: 48 }],
    states: { pending: 0, in_progress: 0, completed: 41, failed: 7 },
  },
  {
    name: 'New season tasting',
    status: 'active',
    agent: 2,
    ago: 30,
    changed: 29,
    batches: [
      { ago: 29, count: 96 },
      { ago: 10, count: 44 },
    ],
    states: { pending: 44, in_progress: 8, completed: 38, failed: 10 },
  },
  {
    name: 'Repair plan renewal',
    status: 'paused',
    agent: 1,
    ago: 21,
    changed: 8,
    batches: [{ ago: 20, count: 26 }],
    states: { pending: 70, in_progress: 0, completed: 25, failed: 5 },
  },
  {
    name: 'Office starter boxes',
    status: 'draft',
    agent: 0,
    ago: 1,
    changed: 1,
    batches: [],
    states: { pending: 1, in_progress: 0, completed: 0, failed: 0 },
  },
];

export interface SampleEnrollment {
  contact: string;
  status: EnrollmentStatus;
  updated_at: string;
}

export interface SampleCampaign {
  id: string;
  name: string;
  status: CampaignStatus;
  agent: number;
  created_at: string;
  updated_at: string;
  batches: { enrolled_at: string; enrollments: SampleEnrollment[] }[];
}

/** Oldest first. No contact is enrolled twice in the same campaign. */
export const sampleCampaigns = (
  dice: Dice,
  calendar: Calendar,
  contacts: readonly SampleContact[],
): SampleCampaign[] =>
  PLANS.map(({ ago, changed, batches, states, ...plan }) => {
    const made = calendar.on(ago + 1);
    const enrolled = new Set<string>();
    const filled = batches.map((batch) => {
      const at = calendar.on(batch.ago);
      const open = contacts.filter((contact) => contact.at < at && !enrolled.has(contact.id));
      const enrollments = Array.from({ length: batch.count }, (): SampleEnrollment => {
        const [contact] = open.splice(dice.between(0, open.length - 1), 1) as [SampleContact];
        enrolled.add(contact.id);
        const status = dice.weighted(states);
        const moved = at + dice.roll() * Math.min(calendar.now - at, 12 * 86_400_000);
        return { contact: contact.id, status, updated_at: iso(status === 'pending' ? at : moved) };
      });
      return { enrolled_at: iso(at), enrollments };
    });
    const id = campaignId.parse(uuidAt(dice, made)) ?? '';
    const updated = Math.max(made, calendar.on(changed));
    return { ...plan, id, created_at: iso(made), updated_at: iso(updated), batches: filled };
  });
