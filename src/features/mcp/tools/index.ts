import type { Tool } from '../tool.ts';
import { campaignStatus, enrollPeople, importStatus, listCalls } from './activity.ts';
import { compareVersions, draftInstructions, listAgents, readVersion } from './agents.ts';
import { deploy, showDeployImpact } from './deploys.ts';
import { findPeople, getPerson, savePerson, tagPeople } from './people.ts';

/** Every tool, in the order in which a client lists them. More than 15 would make it hard for a model to choose. */
export const tools: readonly Tool[] = [
  findPeople,
  getPerson,
  savePerson,
  tagPeople,
  listAgents,
  readVersion,
  draftInstructions,
  compareVersions,
  showDeployImpact,
  deploy,
  listCalls,
  campaignStatus,
  enrollPeople,
  importStatus,
];
