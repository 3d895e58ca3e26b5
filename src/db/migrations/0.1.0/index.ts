import { joined, type Migration } from '../migration.ts';
import { accounts } from './accounts.ts';
import { agents } from './agents.ts';
import { callsAndCampaigns } from './calls-and-campaigns.ts';
import { contacts } from './contacts.ts';
import { work } from './work.ts';

export const firstRelease: Migration = {
  version: 16,
  name: '0.1.0',
  statements: joined(accounts, contacts, agents, callsAndCampaigns, work),
};
