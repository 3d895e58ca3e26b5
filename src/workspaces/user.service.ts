import { argon2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { timestamp } from '../kernel/clock.ts';
import { invalid } from '../kernel/errors.ts';
import { typeId } from '../kernel/ids.ts';
import type { Pending } from '../kernel/pending.ts';
import { statementsOver } from '../storage/statement.ts';
import type { Db } from '../storage/storage.ts';

export const roles = ['owner', 'member'] as const;
export type Role = (typeof roles)[number];

type UserRow = {
  id: string;
  workspace_id: number;
  email: string;
  password: string;
  role: Role;
  created_at: string;
};

const statement = statementsOver<{ users: UserRow }>();

const insertUser = statement((query, row: UserRow) =>
  query.insertInto('users').values({
    id: row.id,
    workspace_id: row.workspace_id,
    email: row.email,
    password: row.password,
    role: row.role,
    created_at: row.created_at,
  }),
);
const findByEmail = statement((query, { email }: { email: string }) =>
  query.selectFrom('users').selectAll().where('email', '=', email),
);
const setPassword = statement((query, { id, password }: { id: string; password: string }) =>
  query.updateTable('users').set({ password }).where('id', '=', id),
);
const countUsers = statement((query, { workspace }: { workspace: number }) =>
  query
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspace),
);

const userId = typeId('user');

/** argon2id with the parameters that RFC 9106 recommends where memory is scarce: 64 MiB, three passes, four lanes. */
const COST = { memory: 65_536, passes: 3, parallelism: 4, tagLength: 32 };

const derive = (password: string, salt: Buffer) =>
  argon2Sync('argon2id', { message: password, nonce: salt, ...COST });

const seal = (password: string): string => {
  const salt = randomBytes(16);
  return `argon2id$${salt.toString('base64')}$${derive(password, salt).toString('base64')}`;
};

export const isPassword = (password: string, sealed: string): boolean => {
  const [, salt = '', tag = ''] = sealed.split('$');
  return timingSafeEqual(derive(password, Buffer.from(salt, 'base64')), Buffer.from(tag, 'base64'));
};

export const SHORTEST_PASSWORD = 12;

/** Makes sure that an owner with this email and password exists. Says whether anything had to be changed. */
export const ensureOwner = async (
  db: Db,
  _: null,
  { workspace, email, password }: { workspace: number; email: string; password: string },
): Promise<boolean> => {
  if (password.length < SHORTEST_PASSWORD) {
    throw invalid([{ field: 'password', message: `must have at least ${SHORTEST_PASSWORD} characters.` }]);
  }
  const address = email.toLowerCase();
  const existing = await db.get(findByEmail, { email: address });
  if (existing && isPassword(password, existing.password)) return false;
  const sealed = seal(password);
  if (existing) await db.run(setPassword, { id: existing.id, password: sealed });
  else {
    await db.run(insertUser, {
      id: userId.create(),
      workspace_id: workspace,
      email: address,
      password: sealed,
      role: 'owner',
      created_at: timestamp(),
    });
  }
  return true;
};

export const hasUsers = async (db: Db, _: null, input: { workspace: number }): Promise<boolean> =>
  Number((await (db.get(countUsers, input) as Pending<{ count: number }>)).count) > 0;
