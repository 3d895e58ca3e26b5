import { createLink } from '../features/workspaces/link.service.ts';
import { hashPassword, newPassword } from '../features/workspaces/password.ts';
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
    'Adds a user who can sign in to the dashboard, and prints the password once.',
  'roster user list [--workspace W] [--json]': 'Lists the users of a workspace.',
  'roster user link EMAIL [--workspace W] [--json]':
    'Prints a sign-in link that works once and expires in 24 hours. It asks for a new password.',
};

const options = {
  workspace: WORKSPACE,
  email: { type: 'string', description: 'Email address of the user.' },
  role: {
    type: 'string',
    description: `${roles.join(' or ')}; only owners manage keys, users and integrations. Default: owner.`,
  },
  json: AS_JSON,
} as const;

const readRole = (text: string = 'owner'): Role => {
  const role = roles.find((each) => each === text);
  if (role) return role;
  throw new UsageError(`--role must be ${roles.join(' or ')}, not ${text}.`);
};

const readEmail = (text: string | undefined): string => {
  if (text === undefined) throw usageError(usage, '--email is required.');
  if (text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw new UsageError(`--email must be an email address, not ${text || 'empty'}.`);
};

export const userCommand: Command = {
  usage,
  options,
  run: async ({ positionals, text, json }) => {
    const [action, address, ...more] = positionals;
    const name = text('workspace') ?? DEFAULT_WORKSPACE;
    if (more.length > 0 || (address === undefined) === (action === 'link')) throw usageError(usage);
    if (action === 'create') {
      const [email, role] = [readEmail(text('email')), readRole(text('role'))];
      const password = newPassword();
      const passwordHash = await hashPassword(password);
      const made = await inWorkspace(name, (storage, principal) =>
        storage.run(addUser, principal, { email, passwordHash, role }),
      );
      print(
        json,
        { ...made, password },
        `${made.email}\n${password}\n\nStore this password now: it is not shown again.`,
      );
    } else if (action === 'list') {
      const users = await inWorkspace(name, (storage, principal) => storage.run(listUsers, principal, null));
      print(
        json,
        users,
        table(
          ['ID', 'EMAIL', 'ROLE', 'CREATED'],
          users.map((each) => [each.id, each.email, each.role, each.created_at]),
        ),
      );
    } else if (action === 'link' && address !== undefined) {
      const { email, ...link } = await inWorkspace(name, async (storage, principal) => {
        const user = await storage.run(findMember, principal, { email: address });
        if (!user) throw new ApiError('NOT_FOUND', `There is no user ${address} in the workspace ${name}.`);
        return { email: user.email, ...(await storage.run(createLink, principal, user)) };
      });
      const url = linkUrl(link.url_path);
      print(
        json,
        { email, url, ...link },
        `${url}\n\nThis sign-in link for ${email} works once and expires in 24 hours. It asks for a new password.\n${OTHER_ADDRESS}`,
      );
    } else throw usageError(usage);
  },
};
