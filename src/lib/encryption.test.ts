import assert from 'node:assert/strict';
import { createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createSealer, digest, isSameSecret, KeyRing, keyIdOf, type SealingKey } from './encryption.ts';
import { ApiError } from './errors.ts';

const key = Buffer.alloc(32, 7);
const sealer = createSealer(key);

/** What stands behind the id of the key: the form of values that were sealed before keys had ids. */
const withoutId = (sealed: string): string => sealed.slice(sealed.indexOf(':') + 1);

test('A value encrypted for an owner is decrypted for that owner', () => {
  for (const secret of ['', 'whsec_abc', 'ä🔑'.repeat(500)]) {
    assert.equal(sealer.open(sealer.seal(secret, 'channel_1'), 'channel_1'), secret);
  }
  assert.equal(createSealer(Buffer.from(key)).open(sealer.seal('s', 'o'), 'o'), 's');
});

test('An encrypted value is the key id and AES-256-GCM: 12-byte nonce, 16-byte tag, text', () => {
  const sealed = sealer.seal('secret', 'owner');
  assert.equal(keyIdOf(sealed), createHash('sha256').update(key).digest('hex').slice(0, 8));
  assert.equal(keyIdOf(withoutId(sealed)), undefined);
  const bytes = Buffer.from(withoutId(sealed), 'base64');
  assert.equal(bytes.length, 12 + 16 + 'secret'.length);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from('owner')).setAuthTag(bytes.subarray(12, 28));
  assert.equal(decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8'), 'secret');
});

test('Encrypting the same secret twice gives different values', () => {
  const sealed = new Set(
    Array.from({ length: 100 }, () => withoutId(sealer.seal('secret', 'owner')).slice(0, 16)),
  );
  assert.equal(sealed.size, 100);
});

test('A value is not decrypted for another owner or with another key', () => {
  const sealed = sealer.seal('secret', 'channel_1');
  assert.throws(() => sealer.open(sealed, 'channel_2'));
  assert.throws(() => sealer.open(sealed, ''));
  assert.throws(() => createSealer(randomBytes(32)).open(sealed, 'channel_1'));
});

test('A changed or truncated value is not decrypted', () => {
  const bytes = Buffer.from(withoutId(sealer.seal('secret', 'owner')), 'base64');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ 1;
    assert.throws(() => sealer.open(changed.toString('base64'), 'owner'), `byte ${at}`);
    assert.throws(() => sealer.open(bytes.subarray(0, at).toString('base64'), 'owner'), `the first ${at}`);
  }
});

test('A truncated authentication tag is rejected', () => {
  const whole = Buffer.from(withoutId(sealer.seal('', 'owner')), 'base64');
  for (const length of [4, 8, 12, 13, 14, 15]) {
    assert.throws(() => sealer.open(whole.subarray(0, 12 + length).toString('base64'), 'owner'), `${length}`);
  }
});

test('A key ring decrypts the values of all its keys, also those without a key id', () => {
  const keys = [createSealer(randomBytes(32)), sealer, createSealer(randomBytes(32))] as const;
  const ring = new KeyRing(() => keys);
  assert.equal(ring.newest, keys[0]);
  for (const each of keys) {
    const sealed = each.seal('secret', 'owner');
    for (const form of [sealed, withoutId(sealed)]) {
      assert.equal(ring.open(form, 'owner'), 'secret');
      assert.equal(ring.keyOf(form, 'owner'), each);
      assert.throws(() => ring.open(form, 'another owner'));
    }
  }
});

test('A key ring reloads its keys when a value names an unknown key', () => {
  const added = createSealer(randomBytes(32));
  const sealed = added.seal('secret', 'owner');
  let [keys, loads]: [SealingKey[], number] = [[sealer], 0];
  const ring = new KeyRing(() => {
    loads++;
    return keys;
  });
  const isUnavailable = (error: unknown) => error instanceof ApiError && error.code === 'UNAVAILABLE';
  assert.throws(() => ring.open(sealed, 'owner'), isUnavailable);
  keys = [added, sealer];
  assert.equal(ring.open(sealed, 'owner'), 'secret');
  assert.equal(ring.newest, added);
  const before = loads;
  ring.open(sealed, 'owner');
  ring.open(sealer.seal('secret', 'owner'), 'owner');
  assert.equal(loads, before, 'known keys are not loaded again');
});

test('A digest is SHA-256 in hexadecimal and verifies a secret', () => {
  const kept = digest('secret');
  assert.equal(kept, createHash('sha256').update('secret').digest('hex'));
  assert.equal(isSameSecret('secret', kept), true);
  for (const other of ['', 'Secret', 'secret ', kept]) assert.equal(isSameSecret(other, kept), false);
});
