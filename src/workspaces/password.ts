import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { unavailable } from '../kernel/errors.ts';

export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 200;

/** argon2id with the parameters that RFC 9106 recommends where memory is scarce: 64 MiB, three passes, four lanes. */
const COST = { memory: 65_536, passes: 3, parallelism: 4, tagLength: 32 };

/** Each takes 64 MiB and one of four threads that files and names are looked up on too: two at once, and few in wait. */
const AT_ONCE = 2;
const MOST_WAITING = 30;
let running = 0;
const waiting: (() => void)[] = [];

const derive = async (password: string, salt: Buffer): Promise<Buffer> => {
  if (running >= AT_ONCE) {
    if (waiting.length >= MOST_WAITING)
      throw unavailable('Too many people are signing in at this moment. Try again shortly.');
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running++;
  try {
    return await promisify(argon2)('argon2id', { message: password, nonce: salt, ...COST });
  } finally {
    running--;
    waiting.shift()?.();
  }
};

/** A password as it is stored. Takes a while by design, and does not hold the event loop. */
export const sealPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16);
  return `argon2id$${salt.toString('base64')}$${(await derive(password, salt)).toString('base64')}`;
};

export const isPassword = async (password: string, sealed: string): Promise<boolean> => {
  const [, salt = '', tag = ''] = sealed.split('$');
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64')), Buffer.from(tag, 'base64'));
};

/** Takes as long as a real one and fits no password: for accounts that do not exist. */
export const NO_PASSWORD = `argon2id$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`;

export const newPassword = (): string => randomBytes(15).toString('base64url');
