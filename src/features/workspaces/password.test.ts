import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { test } from 'node:test';
import {
  hashPassword,
  isOutdated,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  NO_PASSWORD,
  newPassword,
  verifyPassword as verify,
} from './password.ts';

const verifyPassword = (password: string, stored: string, isKnown = true) =>
  verify(password, stored, { isKnown });

/** Hashing is slow by design, so tests share one hash, and use a cheap one where the cost does not matter. */
const passwordHash = await hashPassword('correct horse battery');
const LOW_COST = { memory: 1_024, passes: 1, parallelism: 1 };

test('Only the password that was hashed matches its hash', async () => {
  assert.equal(await verifyPassword('correct horse battery', passwordHash), true);
  for (const other of ['', 'correct horse battery ', 'Correct horse battery', passwordHash]) {
    assert.equal(await verifyPassword(other, passwordHash), false, other);
  }
});

const COST = { memory: 65_536, passes: 3, parallelism: 4 };
const derive = (salt: Buffer, cost = COST) =>
  argon2Sync('argon2id', { message: 'correct horse battery', nonce: salt, tagLength: 32, ...cost });

test('A password is stored as a PHC string with the cost that RFC 9106 recommends', () => {
  const [, name, version, cost, salt = '', tag] = passwordHash.split('$');
  assert.deepEqual([name, version, cost], ['argon2id', 'v=19', 'm=65536,t=3,p=4']);
  assert.equal(Buffer.from(salt, 'base64').length, 16);
  assert.equal(tag, derive(Buffer.from(salt, 'base64')).toString('base64').replace(/=+$/, ''));
  assert.equal(isOutdated(passwordHash), false);
});

test('A hash without stored parameters matches its password and is outdated', async () => {
  const salt = Buffer.alloc(16, 3);
  const older = `argon2id$${salt.toString('base64')}$${derive(salt).toString('base64')}`;
  assert.equal(await verifyPassword('correct horse battery', older), true);
  assert.equal(await verifyPassword('incorrect horse battery', older), false);
  assert.equal(isOutdated(older), true);
});

test('A hash of another cost matches its password and is outdated', async () => {
  const cheaper = await hashPassword('correct horse battery', LOW_COST);
  assert.match(cheaper, /^\$argon2id\$v=19\$m=1024,t=1,p=1\$/);
  assert.equal(await verifyPassword('correct horse battery', cheaper), true);
  assert.equal(await verifyPassword('incorrect horse battery', cheaper), false);
  assert.equal(isOutdated(cheaper), true);
});

test('Text that is not a hash matches no password', async () => {
  for (const stored of ['', passwordHash.slice(0, -3)]) {
    assert.equal(await verifyPassword('correct horse battery', stored), false, stored);
  }
});

test('Hashing the same password twice gives different hashes', async () => {
  assert.notEqual(await hashPassword('correct horse battery'), passwordHash);
});

test('Every character of a password counts, also non-ASCII ones and at the maximum length', async () => {
  const long = 'é🔑'.repeat(MAX_PASSWORD_LENGTH / 2);
  const other = await hashPassword(long, LOW_COST);
  assert.equal(await verifyPassword(long, other), true);
  assert.equal(await verifyPassword(`${long.slice(0, -2)}🔒`, other), false);
  assert.equal(await verifyPassword(long.normalize('NFD'), other), false);
});

test('Hashing a password does not block the event loop', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await hashPassword('correct horse battery');
  clearInterval(timer);
  assert.ok(turns > 3, `${turns} turns`);
});

test('A missing account matches no password, and checking takes the same work', async () => {
  for (const password of ['', 'correct horse battery']) {
    assert.equal(await verifyPassword(password, NO_PASSWORD), false);
  }
  const [real, none] = [passwordHash.split('$'), NO_PASSWORD.split('$')];
  assert.deepEqual(
    none.map((part) => part.length),
    real.map((part) => part.length),
  );
});

test('A generated password is long enough and different each time', () => {
  const made = new Set(Array.from({ length: 100 }, newPassword));
  assert.equal(made.size, 100);
  for (const password of made) {
    assert.ok(password.length >= MIN_PASSWORD_LENGTH);
    assert.match(password, /^[\w-]{20}$/);
  }
});

test('Many sign-ins of unknown callers do not delay a known one', async () => {
  const cheap = await hashPassword('correct horse battery', LOW_COST);
  const ended: string[] = [];
  const signIn = async (name: string, isKnown: boolean) => {
    await verifyPassword('incorrect horse battery', cheap, isKnown);
    ended.push(name);
  };
  const guesses = Array.from({ length: 20 }, () => signIn('unknown', false));
  await Promise.all([...guesses, signIn('known', true)]);
  assert.ok(ended.indexOf('known') < 5, ended.join());
});

test('Sign-ins of unknown callers are refused when too many wait, those of known ones are not', async () => {
  const cheap = await hashPassword('correct horse battery', LOW_COST);
  const guesses = Array.from({ length: 40 }, () => verifyPassword('incorrect horse', cheap, false));
  const known = verifyPassword('correct horse battery', cheap);
  const outcomes = await Promise.allSettled(guesses);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 9);
  assert.match(String((refused[0] as PromiseRejectedResult).reason), /Too many users are signing in/);
  assert.equal(await known, true);
});
