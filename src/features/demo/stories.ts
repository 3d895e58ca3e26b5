import { accounts } from './texts/accounts.ts';
import { orderDesk } from './texts/order-desk.ts';
import { service } from './texts/service.ts';
import { tastings } from './texts/tastings.ts';

/** The history of an agent. Times are days before today. */
export interface Story {
  readonly name: string;
  readonly description: string;
  readonly texts: readonly string[];
  /** When each of the texts was written. */
  readonly written: readonly number[];
  readonly deploys: readonly {
    readonly version: number;
    readonly ago: number;
    /** The index of the user. */
    readonly by: number;
    readonly note: string | null;
  }[];
}

/** Users who deploy. The last one was removed: the history keeps only the id. */
export const colleagues = [
  { email: 'demo@roster.local', role: 'owner', isActive: true },
  { email: 'ingrid@halden-moss.example', role: 'member', isActive: true },
  { email: 'kofi@halden-moss.example', role: 'member', isActive: false },
] as const;

export const stories: readonly Story[] = [
  {
    name: 'Order desk',
    description: 'Takes orders on the phone and says when they arrive.',
    texts: orderDesk,
    written: [84, 76, 61, 40, 18, 2],
    deploys: [
      { version: 1, ago: 82, by: 2, note: 'First try, mornings only.' },
      { version: 2, ago: 75, by: 2, note: 'Waits for a yes before it orders anything.' },
      { version: 4, ago: 39, by: 1, note: 'Says what to do when something is not in stock.' },
      {
        version: 5,
        ago: 16,
        by: 1,
        note: 'Hands over with a sentence, so that callers do not repeat themselves.',
      },
    ],
  },
  {
    name: 'Service & repairs',
    description: 'Helps with machines that do not work, and books technicians.',
    texts: service,
    written: [60, 46, 29, 12],
    deploys: [
      { version: 1, ago: 52, by: 1, note: null },
      { version: 2, ago: 45, by: 1, note: 'Loan machines.' },
      { version: 3, ago: 28, by: 0, note: 'Callers asked what they should hear. Now it says so.' },
      { version: 4, ago: 11, by: 1, note: 'Photographs of the plate.' },
      { version: 3, ago: 9, by: 0, note: 'Back: wet hands and photographs do not go together.' },
    ],
  },
  {
    name: 'Tasting invitations',
    description: 'Calls customers and invites them to the roastery.',
    texts: tastings,
    written: [48, 33, 5],
    deploys: [
      { version: 1, ago: 47, by: 0, note: 'For the grinder check-up list first.' },
      { version: 2, ago: 31, by: 0, note: 'Reminders, and no prices.' },
    ],
  },
  {
    name: 'Accounts & invoices',
    description: 'Answers messages about invoices. Not live yet.',
    texts: accounts,
    written: [15, 6],
    deploys: [],
  },
];
