import { createWorkspace, listWorkspaces } from '../features/workspaces/workspace.service.ts';
import { PROGRAM } from '../lib/executable.ts';
import { AS_JSON, type Command, print, shellQuote, table, usageError, withStorage } from './command.ts';
import { readCountry } from './country.ts';

const usage = {
  'roster workspace create NAME [--country US] [--json]':
    'Creates a workspace with its own contacts, agents, keys and users.',
  'roster workspace list [--json]': 'Lists all workspaces.',
};

export const workspaceCommand: Command = {
  usage,
  options: {
    country: {
      type: 'string',
      description: 'Default country for phone numbers without a country code, such as US.',
    },
    json: AS_JSON,
  },
  run: async ({ positionals, text, json }) => {
    const [action, name, ...more] = positionals;
    if (action === 'create' && name !== undefined && more.length === 0) {
      const country = readCountry(text('country')) ?? null;
      const made = await withStorage((storage) => storage.run(createWorkspace, null, { name, country }), {
        mayCreate: true,
      });
      print(
        json,
        made,
        `Created the workspace ${made.name}. To create an API key for it: ${PROGRAM} key create --workspace ${shellQuote(made.name)} --name NAME`,
      );
    } else if (action === 'list' && name === undefined && text('country') === undefined) {
      const all = await withStorage(async (storage) => storage.run(listWorkspaces, null, null));
      print(
        json,
        all,
        table(
          ['NAME', 'CREATED'],
          all.map((each) => [each.name, each.created_at]),
        ),
      );
    } else throw usageError(usage);
  },
};
