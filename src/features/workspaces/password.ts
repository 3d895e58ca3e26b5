import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { unavailable } from '../../lib/errors.ts';

export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 200;

/** What argon2id costs: memory in KiB, passes over it, lanes. */
interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** What RFC 9106 recommends where memory is scarce: 64 MiB, three passes, four lanes. A change applies to every password
 *  that is set from then on, and to each of the others at its user's next sign-in. */
const COST: Cost = { memory: 65_536, passes: 3, parallelism: 4 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** The cost of hashes in the form `argon2id$salt$tag`, which were stored before the cost was part of them. */
const COST_WITHOUT_PARAMETERS: Cost = { memory: 65_536, passes: 3, parallelism: 4 };

/** Each takes 64 MiB and one of four threads that files and names are looked up on too: two at once, and few in wait. */
const AT_ONCE = 2;
const MOST_WAITING = 30;
let running = 0;
const waiting: (() => void)[] = [];

const derive = async (password: string, salt: Buffer, cost: Cost): Promise<Buffer> => {
  if (running >= AT_ONCE) {
    if (waiting.length >= MOST_WAITING)
      throw unavailable('Too many people are signing in at this moment. Try again shortly.');
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running++;
  try {
    return await promisify(argon2)('argon2id', {
      message: password,
      nonce: salt,
      tagLength: TAG_BYTES,
      ...cost,
    });
  } finally {
    running--;
    waiting.shift()?.();
  }
};

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/={1,2}$/, '');

/** How a hash begins in the PHC string form: `$argon2id$v=19$m=65536,t=3,p=4$salt$tag`. */
const prefixOf = ({ memory, passes, parallelism }: Cost): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`;

const format = (cost: Cost, salt: Buffer, tag: Buffer): string =>
  `${prefixOf(cost)}${unpadded(salt)}$${unpadded(tag)}`;

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([\w+/]+)\$([\w+/]+)$/;
const WITHOUT_PARAMETERS = /^argon2id\$([\w+/=]+)\$([\w+/=]+)$/;

interface Parsed {
  readonly cost: Cost;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

const parse = (stored: string): Parsed | undefined => {
  const [, m, t, p, ...parts] = PHC.exec(stored) ?? [];
  const [, ...older] = WITHOUT_PARAMETERS.exec(stored) ?? [];
  const [salt, tag] = [parts, older].flat().map((text) => Buffer.from(text, 'base64'));
  if (!salt || tag?.length !== TAG_BYTES) return undefined;
  const cost = m ? { memory: Number(m), passes: Number(t), parallelism: Number(p) } : COST_WITHOUT_PARAMETERS;
  return { cost, salt, tag };
};

/** A password as it is stored. Takes a while by design, and does not hold the event loop. */
export const sealPassword = async (password: string, cost: Cost = COST): Promise<string> => {
  const salt = randomBytes(SALT_BYTES);
  return format(cost, salt, await derive(password, salt, cost));
};

/** Takes as long as a real one and fits no password: for accounts that do not exist. */
const NOTHING: Parsed = { cost: COST, salt: Buffer.alloc(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) };
export const NO_PASSWORD = format(NOTHING.cost, NOTHING.salt, NOTHING.tag);

/** Whether a password is the one that a stored hash was made of. What is no hash fits no password. */
export const isPassword = async (password: string, stored: string): Promise<boolean> => {
  const { cost, salt, tag } = parse(stored) ?? NOTHING;
  return timingSafeEqual(await derive(password, salt, cost), tag);
};

/** Whether a stored hash has another form or another cost than a new one would. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(prefixOf(COST));

export const newPassword = (): string => randomBytes(15).toString('base64url');
