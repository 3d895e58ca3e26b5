import { inviteFields } from '../features/workspaces/access.routes.ts';
import { createSignInLink } from '../features/workspaces/link.service.ts';
import { hashPassword, newPassword } from '../features/workspaces/password.ts';
import { roles } from '../features/workspaces/principal.ts';
import { addUser, findMember, listUsers } from '../features/workspaces/user.service.ts';
import { DEFAULT_WORKSPACE } from '../features/workspaces/workspace.service.ts';
import { ApiError } from '../lib/errors.ts';
import { type Command, inWorkspace, type ParsedArgs, readField, table } from './command.ts';
import { OTHER_ADDRESS, serviceUrl } from './link.ts';

const create = async ({ text, print }: ParsedArgs): Promise<void> => {
  const email = readField('email', inviteFields.email, text('email') ?? '');
  const role = readField('role', inviteFields.role, text('role') ?? 'owner');
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  const created = await inWorkspace(text('workspace'), (storage, principal) =>
    storage.run(addUser, principal, { email, passwordHash, role }),
  );
  const note = 'Store this password now: it is not shown again.';
  print({ ...created, password }, `${created.email}\n${password}\n\n${note}`);
};

const list = async ({ text, print }: ParsedArgs): Promise<void> => {
  const users = await inWorkspace(text('workspace'), (storage, principal) =>
    storage.run(listUsers, principal, null),
  );
  const rows = users.map(({ id, email, role, created_at }) => [id, email, role, created_at]);
  print(users, table(['ID', 'EMAIL', 'ROLE', 'CREATED'], rows));
};

const link = async ({ operands: [address = ''], text, print }: ParsedArgs): Promise<void> => {
  const name = text('workspace') ?? DEFAULT_WORKSPACE;
  const { email, ...created } = await inWorkspace(name, async (storage, principal) => {
    const user = await storage.run(findMember, principal, { email: address });
    if (!user) throw new ApiError('NOT_FOUND', `There is no user ${address} in the workspace ${name}.`);
    return { email: user.email, ...(await storage.run(createSignInLink, principal, user)) };
  });
  const url = serviceUrl() + created.url_path;
  const note = `This sign-in link for ${email} works once and expires in 24 hours. It asks for a new password.`;
  print({ email, url, ...created }, `${url}\n\n${note}\n${OTHER_ADDRESS}`);
};

export const userCommand: Command = {
  forms: {
    [`roster user create --email EMAIL [--workspace W] [--role ${roles.join('|')}] [--json]`]: [
      'Adds a user who can sign in to the dashboard, and prints the password once.',
      create,
    ],
    'roster user list [--workspace W] [--json]': ['Lists the users of a workspace.', list],
    'roster user link EMAIL [--workspace W] [--json]': [
      'Prints a sign-in link that works once and expires in 24 hours. It asks for a new password.',
      link,
    ],
  },
  options: {
    email: 'Email address of the user.',
    role: `${roles.join(' or ')}; only owners manage keys, users and integrations. Default: owner.`,
  },
};
