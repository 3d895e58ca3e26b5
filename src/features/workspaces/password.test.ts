import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { test } from 'node:test';
import {
  isOutdated,
  isPassword,
  LONGEST_PASSWORD,
  NO_PASSWORD,
  newPassword,
  SHORTEST_PASSWORD,
  sealPassword,
} from './password.ts';

/** Each takes a while by design: sealed once for all that does not ask for another. */
const sealed = await sealPassword('correct horse battery');

test('a password fits what was sealed from it, and nothing else does', async () => {
  assert.equal(await isPassword('correct horse battery', sealed), true);
  for (const other of ['', 'correct horse battery ', 'Correct horse battery', sealed]) {
    assert.equal(await isPassword(other, sealed), false, other);
  }
});

const COST = { memory: 65_536, passes: 3, parallelism: 4 };
const derive = (salt: Buffer, cost = COST) =>
  argon2Sync('argon2id', { message: 'correct horse battery', nonce: salt, tagLength: 32, ...cost });

test('a password is stored in the PHC string form, at the cost that RFC 9106 recommends', () => {
  const [, name, version, cost, salt = '', tag] = sealed.split('$');
  assert.deepEqual([name, version, cost], ['argon2id', 'v=19', 'm=65536,t=3,p=4']);
  assert.equal(Buffer.from(salt, 'base64').length, 16);
  assert.equal(tag, derive(Buffer.from(salt, 'base64')).toString('base64').replace(/=+$/, ''));
  assert.equal(isOutdated(sealed), false);
});

test('a hash that was stored without its parameters still fits its password, and is outdated', async () => {
  const salt = Buffer.alloc(16, 3);
  const older = `argon2id$${salt.toString('base64')}$${derive(salt).toString('base64')}`;
  assert.equal(await isPassword('correct horse battery', older), true);
  assert.equal(await isPassword('incorrect horse battery', older), false);
  assert.equal(isOutdated(older), true);
});

test('a hash of another cost fits its password, and is outdated', async () => {
  const cheaper = await sealPassword('correct horse battery', { memory: 1_024, passes: 1, parallelism: 1 });
  assert.match(cheaper, /^\$argon2id\$v=19\$m=1024,t=1,p=1\$/);
  assert.equal(await isPassword('correct horse battery', cheaper), true);
  assert.equal(await isPassword('incorrect horse battery', cheaper), false);
  assert.equal(isOutdated(cheaper), true);
});

test('text that is no hash fits no password', async () => {
  for (const stored of ['', sealed.slice(0, -3)]) {
    assert.equal(await isPassword('correct horse battery', stored), false, stored);
  }
});

test('the same password is never sealed alike', async () => {
  assert.notEqual(await sealPassword('correct horse battery'), sealed);
});

test('every character counts, also beyond ASCII and at the longest', async () => {
  const long = 'é🔑'.repeat(LONGEST_PASSWORD / 2);
  const other = await sealPassword(long);
  assert.equal(await isPassword(long, other), true);
  assert.equal(await isPassword(`${long.slice(0, -2)}🔒`, other), false);
  assert.equal(await isPassword(long.normalize('NFD'), other), false);
});

test('deriving does not hold the event loop', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await sealPassword('correct horse battery');
  clearInterval(timer);
  assert.ok(turns > 3, `${turns} turns`);
});

test('no password fits an account that does not exist, and finding out takes the same work', async () => {
  for (const password of ['', 'correct horse battery']) {
    assert.equal(await isPassword(password, NO_PASSWORD), false);
  }
  const [real, none] = [sealed.split('$'), NO_PASSWORD.split('$')];
  assert.deepEqual(
    none.map((part) => part.length),
    real.map((part) => part.length),
  );
});

test('a password that is made up is long enough, and another each time', () => {
  const made = new Set(Array.from({ length: 100 }, newPassword));
  assert.equal(made.size, 100);
  for (const password of made) {
    assert.ok(password.length >= SHORTEST_PASSWORD);
    assert.match(password, /^[\w-]{20}$/);
  }
});
