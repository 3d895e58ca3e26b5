import { typeId } from '../../lib/ids.ts';
import { integrationId } from '../integrations/integration.service.ts';
import type { Role } from '../workspaces/principal.ts';
import { sampleAgents } from './agents.ts';
import { createCalendar, iso } from './calendar.ts';
import { sampleCalls } from './calls.ts';
import { sampleCampaigns } from './campaigns.ts';
import { ownNumbers, sampleChannels } from './channels.ts';
import { legacyNumbers, sampleContacts } from './contacts.ts';
import { createDice, uuidAt } from './dice.ts';
import { sampleFile } from './file.ts';
import { createNumbers } from './numbers.ts';
import { createPeople } from './people.ts';
import { colleagues } from './stories.ts';

/** Each part has its own seed, so that the people do not depend on the date. */
const SEEDS = { people: 1, calendar: 2, calls: 3, campaigns: 4 };

const userId = typeId('user');

export interface SampleUser {
  id: string;
  email: string;
  role: Role;
  created_at: string;
  isActive: boolean;
}

/** The content of the sample workspace at a time. It is deterministic; on another day the people are the same and all times
 *  are later. */
export const createSample = (now: number) => {
  const dice = createDice(SEEDS.people);
  const calendar = createCalendar(createDice(SEEDS.calendar), now);
  const users = colleagues.map((colleague): SampleUser => {
    const at = calendar.on(120);
    return { ...colleague, id: userId.parse(uuidAt(dice, at)) ?? '', created_at: iso(at) };
  });
  const agents = sampleAgents(dice, calendar);
  const channels = sampleChannels(dice, calendar);
  const makers = {
    dice,
    calendar,
    number: createNumbers(dice, [...ownNumbers, ...legacyNumbers]),
    person: createPeople(dice),
  };
  const contacts = sampleContacts(makers);
  const integrated = calendar.on(96);
  return {
    users,
    agents,
    channels,
    contacts,
    calls: sampleCalls({ dice: createDice(SEEDS.calls), calendar, agents, channels, contacts }),
    campaigns: sampleCampaigns(createDice(SEEDS.campaigns), calendar, contacts),
    integration: {
      id: integrationId.parse(uuidAt(dice, integrated)) ?? '',
      name: 'Customer database',
      created_at: iso(integrated),
    },
    file: { name: 'trade-fair.csv', text: sampleFile({ ...makers, contacts }) },
  };
};
export type Sample = ReturnType<typeof createSample>;
