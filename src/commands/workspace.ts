import { createWorkspace, listWorkspaces } from '../workspaces/workspace.service.ts';
import { AS_JSON, type Command, print, quoted, table, usageError, withStorage } from './command.ts';

const usage = {
  'roster workspace create NAME [--json]': 'Makes a workspace: contacts, agents, keys and users of its own.',
  'roster workspace list [--json]': 'Lists all workspaces.',
};

export const workspaceCommand: Command = {
  usage,
  options: { json: AS_JSON },
  run: async ({ words, json }) => {
    const [action, name, ...more] = words;
    if (action === 'create' && name !== undefined && more.length === 0) {
      const made = await withStorage((storage) => storage.write(createWorkspace, null, { name }), {
        mayCreate: true,
      });
      print(
        json,
        made,
        `Made the workspace ${made.name}. Make a key for it: npx roster key create --workspace ${quoted(made.name)} --name NAME`,
      );
    } else if (action === 'list' && name === undefined) {
      const all = await withStorage(async (storage) => storage.read(listWorkspaces, null, null));
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
