import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Semaphore } from '../../lib/concurrency.ts';
import { unavailable } from '../../lib/errors.ts';

export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 200;

/** The cost of argon2id: memory in KiB, passes and lanes. */
interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** The recommendation of RFC 9106 for limited memory. A change applies to new passwords immediately, and to existing ones
 *  at the user's next sign-in. Only tests change it while the program runs. */
export const passwordCost: Cost = { memory: 65_536, passes: 3, parallelism: 4 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** The cost of hashes in the former format `argon2id$salt$tag`, which does not contain it. */
const COST_WITHOUT_PARAMETERS: Cost = { memory: 65_536, passes: 3, parallelism: 4 };

/** Each hash takes 64 MiB and one of the four threads that also serve file and DNS look-ups. */
const MAX_CONCURRENT = 2;
/** Unknown callers may be guessing. One of the concurrent hashes is reserved for known callers, who are also served first. */
const MAX_UNKNOWN = 1;
const MAX_QUEUED = 30;
const hashes = { known: new Semaphore(MAX_CONCURRENT), unknown: new Semaphore(MAX_UNKNOWN) };

const derive = async (password: string, salt: Buffer, cost: Cost, isKnown: boolean): Promise<Buffer> => {
  if (hashes[isKnown ? 'known' : 'unknown'].waiting >= MAX_QUEUED)
    throw unavailable('Too many users are signing in. Retry shortly.');
  const parameters = { message: password, nonce: salt, tagLength: TAG_BYTES, ...cost };
  const hash = () => hashes.known.run(() => promisify(argon2)('argon2id', parameters), isKnown);
  return isKnown ? hash() : hashes.unknown.run(hash);
};

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/={1,2}$/, '');

/** The prefix of a hash in PHC string format: `$argon2id$v=19$m=65536,t=3,p=4$salt$tag`. */
const prefixOf = ({ memory, passes, parallelism }: Cost): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`;

const format = (cost: Cost, salt: Buffer, tag: Buffer): string =>
  `${prefixOf(cost)}${unpadded(salt)}$${unpadded(tag)}`;

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([\w+/]+)\$([\w+/]+)$/;
const WITHOUT_PARAMETERS = /^argon2id\$([\w+/=]+)\$([\w+/=]+)$/;

const parse = (stored: string) => {
  const [, m, t, p, ...parts] = PHC.exec(stored) ?? [];
  const [, ...older] = WITHOUT_PARAMETERS.exec(stored) ?? [];
  const [salt, tag] = [parts, older].flat().map((text) => Buffer.from(text, 'base64'));
  if (!salt || tag?.length !== TAG_BYTES) return undefined;
  const cost = m ? { memory: Number(m), passes: Number(t), parallelism: Number(p) } : COST_WITHOUT_PARAMETERS;
  return { cost, salt, tag };
};

/** Hashes a password. Slow by design, but does not block the event loop. */
export const hashPassword = async (password: string, cost: Cost = passwordCost): Promise<string> => {
  const salt = randomBytes(SALT_BYTES);
  return format(cost, salt, await derive(password, salt, cost, true));
};

/** Takes as long to verify as a real hash and matches no password: for accounts that do not exist. */
const UNMATCHABLE = { cost: passwordCost, salt: Buffer.alloc(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) };
export const NO_PASSWORD = format(UNMATCHABLE.cost, UNMATCHABLE.salt, UNMATCHABLE.tag);

/** Whether a password matches a stored hash. An invalid hash matches no password. `isKnown` says whether the caller has
 *  signed in before. */
export const verifyPassword = async (password: string, stored: string, { isKnown }: { isKnown: boolean }) => {
  const { cost, salt, tag } = (stored !== NO_PASSWORD && parse(stored)) || UNMATCHABLE;
  return timingSafeEqual(await derive(password, salt, cost, isKnown), tag);
};

/** Whether a stored hash has another format or cost than new ones. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(prefixOf(passwordCost));

export const newPassword = (): string => randomBytes(15).toString('base64url');
