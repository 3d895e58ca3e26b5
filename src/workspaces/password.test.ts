import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { test } from 'node:test';
import {
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

test('a password is sealed with argon2id at the cost that RFC 9106 recommends', () => {
  const [name, salt = '', tag] = sealed.split('$');
  assert.equal(name, 'argon2id');
  assert.equal(Buffer.from(salt, 'base64').length, 16);
  const expected = argon2Sync('argon2id', {
    message: 'correct horse battery',
    nonce: Buffer.from(salt, 'base64'),
    memory: 65_536,
    passes: 3,
    parallelism: 4,
    tagLength: 32,
  });
  assert.equal(tag, expected.toString('base64'));
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
