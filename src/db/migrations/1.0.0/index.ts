import { joined, type Migration } from '../migration.ts';
import { accounts } from './accounts.ts';
import { callsAndCampaigns } from './calls-and-campaigns.ts';
import { contacts } from './contacts.ts';
import { duplicates } from './duplicates.ts';
import { eventsAndWebhooks } from './events-and-webhooks.ts';
import { identities } from './identities.ts';
import { merges } from './merges.ts';
import { personal } from './personal.ts';
import { runtime } from './runtime.ts';
import { work } from './work.ts';

export const secondRelease: Migration = {
  version: 43,
  name: '1.0.0',
  statements: joined(
    accounts,
    contacts,
    callsAndCampaigns,
    eventsAndWebhooks,
    work,
    personal,
    runtime,
    identities,
    duplicates,
    merges,
  ),
};
