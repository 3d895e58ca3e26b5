import * as agents from './agents/agent.service.ts';
import * as contacts from './contacts/contact.service.ts';
import { ping } from './storage/sqlite/storage.ts';
import type { Operation } from './storage/storage.ts';
import * as keys from './workspaces/key.service.ts';
import { setUp } from './workspaces/setup.service.ts';
import * as users from './workspaces/user.service.ts';
import * as workspaces from './workspaces/workspace.service.ts';

/** Every operation that may run on a thread of the database, where it is found by its name. */
export const operations: readonly Operation[] = [
  ping,
  workspaces.createWorkspace,
  workspaces.listWorkspaces,
  workspaces.requireWorkspace,
  keys.createKey,
  keys.listKeys,
  keys.revokeKey,
  keys.findKey,
  keys.recordUse,
  users.ensureOwner,
  users.hasUsers,
  setUp,
  contacts.getContact,
  contacts.listContacts,
  contacts.createContact,
  contacts.updateContact,
  contacts.deleteContact,
  agents.getAgent,
  agents.listAgents,
  agents.createAgent,
  agents.updateAgent,
  agents.deleteAgent,
];
