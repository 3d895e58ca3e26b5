import { makeLink } from '../features/workspaces/link.service.ts';
import { newPassword, sealPassword } from '../features/workspaces/password.ts';
import { type Role, roles } from '../features/workspaces/principal.ts';
import { addUser, findMember, listUsers } from '../features/workspaces/user.service.ts';
import { DEFAULT_WORKSPACE } from '../features/workspaces/workspace.service.ts';
import { ApiError } from '../lib/errors.ts';
import {
  AS_JSON,
  type Command,
  inWorkspace,
  print,
  table,
  UsageError,
  usageError,
  WORKSPACE,
} from './command.ts';
import { linkUrl, OTHER_ADDRESS } from './link.ts';

const usage = {
  [`roster user create --email EMAIL [--workspace W] [--role ${roles.join('|')}] [--json]`]:
    'Adds a person who can sign in to the dashboard of a workspace, and prints the password, once.',
  'roster user list [--workspace W] [--json]': 'Lists the people of a workspace.',
  'roster user link EMAIL [--workspace W] [--json]':
    'Prints a link that signs a person in once, within 24 hours, and asks for a new password.',
};

const options = {
  workspace: WORKSPACE,
  email: { type: 'string', means: 'the address that the person signs in with' },
  role: { type: 'string', means: 'an owner handles keys, users and integrations, too (owner)' },
  json: AS_JSON,
} as const;

const readRole = (text: string = 'owner'): Role => {
  const role = roles.find((each) => each === text);
  if (role) return role;
  throw new UsageError(`--role must be ${roles.join(' or ')}, not ${text}.`);
};

const readEmail = (text: string | undefined): string => {
  if (text === undefined) throw usageError(usage, 'A user needs an --email.');
  if (text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw new UsageError(`--email must be an email address, and ${text || 'nothing'} is not one.`);
};

/** How somebody gets a sign-in to a workspace that has none yet, or a new one for a password that is forgotten. */
export const userCommand: Command = {
  usage,
  options,
  run: async ({ words, text, json }) => {
    const [action, who, ...more] = words;
    const name = text('workspace') ?? DEFAULT_WORKSPACE;
    if (more.length > 0 || (who === undefined) === (action === 'link')) throw usageError(usage);
    if (action === 'create') {
      const [email, role] = [readEmail(text('email')), readRole(text('role'))];
      const password = newPassword();
      const sealed = await sealPassword(password);
      const made = await inWorkspace(name, (storage, principal) =>
        storage.run(addUser, principal, { email, sealed, role }),
      );
      print(
        json,
        { ...made, password },
        `${made.email}\n${password}\n\nKeep the password: it is shown only now.`,
      );
    } else if (action === 'list') {
      const users = await inWorkspace(name, (storage, principal) => storage.run(listUsers, principal, null));
      print(
        json,
        users,
        table(
          ['ID', 'EMAIL', 'ROLE', 'MADE'],
          users.map((each) => [each.id, each.email, each.role, each.created_at]),
        ),
      );
    } else if (action === 'link' && who !== undefined) {
      const { email, ...link } = await inWorkspace(name, async (storage, principal) => {
        const user = await storage.run(findMember, principal, { email: who });
        if (!user) throw new ApiError('NOT_FOUND', `There is no user ${who} in the workspace ${name}.`);
        return { email: user.email, ...(await storage.run(makeLink, principal, user)) };
      });
      const url = linkUrl(link.url_path);
      print(
        json,
        { email, url, ...link },
        `${url}\n\nIt signs ${email} in once, within 24 hours, and asks for a new password. ${OTHER_ADDRESS}`,
      );
    } else throw usageError(usage);
  },
};
