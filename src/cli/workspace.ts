import type { Storage } from '../db/storage.ts';
import { createWorkspace, listWorkspaces } from '../features/workspaces/workspace.service.ts';
import { PROGRAM } from '../lib/executable.ts';
import { type Command, type ParsedArgs, readCountry, shellQuote, table, withStorage } from './command.ts';

const create = async ({ operands: [name = ''], text, print }: ParsedArgs): Promise<void> => {
  const country = readCountry(text('country')) ?? null;
  const create = (storage: Storage) => storage.run(createWorkspace, null, { name, country });
  const workspace = await withStorage(create, { mayCreate: true });
  const next = `${PROGRAM} key create --workspace ${shellQuote(workspace.name)} --name NAME`;
  print(workspace, `Created the workspace ${workspace.name}. To create an API key for it: ${next}`);
};

const list = async ({ print }: ParsedArgs): Promise<void> => {
  const all = await withStorage(async (storage) => storage.run(listWorkspaces, null, null));
  const rows = all.map(({ name, created_at }) => [name, created_at]);
  print(all, table(['NAME', 'CREATED'], rows));
};

export const workspaceCommand: Command = {
  forms: {
    'roster workspace create NAME [--country US] [--json]': [
      'Creates a workspace with its own contacts, agents, keys and users.',
      create,
    ],
    'roster workspace list [--json]': ['Lists all workspaces.', list],
  },
  options: {
    country: 'Default country for phone numbers without a country code, such as US.',
  },
};
