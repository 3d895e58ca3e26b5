import { createWorkspace, listWorkspaces } from '../features/workspaces/workspace.service.ts';
import { AS_JSON, type Command, print, quoted, table, usageError, withStorage } from './command.ts';
import { readCountry } from './country.ts';

const usage = {
  'roster workspace create NAME [--country US] [--json]':
    'Creates a workspace: contacts, agents, keys and users of its own.',
  'roster workspace list [--json]': 'Lists all workspaces.',
};

export const workspaceCommand: Command = {
  usage,
  options: {
    country: {
      type: 'string',
      means: 'the country of phone numbers without a country code, such as US (none)',
    },
    json: AS_JSON,
  },
  run: async ({ words, text, json }) => {
    const [action, name, ...more] = words;
    if (action === 'create' && name !== undefined && more.length === 0) {
      const country = readCountry(text('country')) ?? null;
      const made = await withStorage((storage) => storage.run(createWorkspace, null, { name, country }), {
        mayCreate: true,
      });
      print(
        json,
        made,
        `Created the workspace ${made.name}. Create a key for it: npx roster key create --workspace ${quoted(made.name)} --name NAME`,
      );
    } else if (action === 'list' && name === undefined && text('country') === undefined) {
      const all = await withStorage(async (storage) => storage.run(listWorkspaces, null, null));
      print(
        json,
        all,
        table(
          ['NAME', 'MADE'],
          all.map((each) => [each.name, each.created_at]),
        ),
      );
    } else throw usageError(usage);
  },
};
