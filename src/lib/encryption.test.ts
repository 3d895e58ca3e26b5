import assert from 'node:assert/strict';
import { createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import {
  createEncryptionKey,
  digest,
  type EncryptionKey,
  isSameSecret,
  KeyRing,
  keyIdOf,
} from './encryption.ts';
import { ApiError } from './errors.ts';

const key = Buffer.alloc(32, 7);
const encryptor = createEncryptionKey(key);

/** The format of values from before keys had ids. */
const withoutId = (encrypted: string): string => encrypted.slice(encrypted.indexOf(':') + 1);

test('A value encrypted for an owner is decrypted for that owner', () => {
  for (const secret of ['', 'whsec_abc', 'ä🔑'.repeat(500)]) {
    assert.equal(encryptor.decrypt(encryptor.encrypt(secret, 'channel_1'), 'channel_1'), secret);
  }
  assert.equal(createEncryptionKey(Buffer.from(key)).decrypt(encryptor.encrypt('s', 'o'), 'o'), 's');
});

test('An encrypted value is the key id and AES-256-GCM: 12-byte nonce, 16-byte tag, text', () => {
  const encrypted = encryptor.encrypt('secret', 'owner');
  assert.equal(keyIdOf(encrypted), createHash('sha256').update(key).digest('hex').slice(0, 8));
  const bytes = Buffer.from(withoutId(encrypted), 'base64');
  assert.equal(bytes.length, 12 + 16 + 'secret'.length);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from('owner')).setAuthTag(bytes.subarray(12, 28));
  assert.equal(decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8'), 'secret');
});

test('Encrypting the same secret twice gives different values', () => {
  const encrypted = new Set(
    Array.from({ length: 100 }, () => withoutId(encryptor.encrypt('secret', 'owner')).slice(0, 16)),
  );
  assert.equal(encrypted.size, 100);
});

test('A value is not decrypted for another owner or with another key', () => {
  const encrypted = encryptor.encrypt('secret', 'channel_1');
  assert.throws(() => encryptor.decrypt(encrypted, 'channel_2'));
  assert.throws(() => encryptor.decrypt(encrypted, ''));
  assert.throws(() => createEncryptionKey(randomBytes(32)).decrypt(encrypted, 'channel_1'));
});

test('A changed or truncated value is not decrypted', () => {
  const bytes = Buffer.from(withoutId(encryptor.encrypt('secret', 'owner')), 'base64');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ 1;
    assert.throws(() => encryptor.decrypt(changed.toString('base64'), 'owner'), `byte ${at}`);
    assert.throws(
      () => encryptor.decrypt(bytes.subarray(0, at).toString('base64'), 'owner'),
      `the first ${at}`,
    );
  }
});

test('A truncated authentication tag is rejected', () => {
  const whole = Buffer.from(withoutId(encryptor.encrypt('', 'owner')), 'base64');
  for (const length of [4, 8, 12, 13, 14, 15]) {
    assert.throws(
      () => encryptor.decrypt(whole.subarray(0, 12 + length).toString('base64'), 'owner'),
      `${length}`,
    );
  }
});

test('A key ring decrypts the values of all its keys', () => {
  const keys = [
    createEncryptionKey(randomBytes(32)),
    encryptor,
    createEncryptionKey(randomBytes(32)),
  ] as const;
  const ring = new KeyRing(() => keys);
  assert.equal(ring.newest, keys[0]);
  for (const each of keys) {
    const encrypted = each.encrypt('secret', 'owner');
    assert.equal(ring.decrypt(encrypted, 'owner'), 'secret');
    assert.equal(ring.keyOf(encrypted), each);
    assert.throws(() => ring.decrypt(encrypted, 'another owner'));
  }
});

test('A key ring reloads its keys when a value names an unknown key', () => {
  const added = createEncryptionKey(randomBytes(32));
  const encrypted = added.encrypt('secret', 'owner');
  let [keys, loads]: [EncryptionKey[], number] = [[encryptor], 0];
  const ring = new KeyRing(() => {
    loads++;
    return keys;
  });
  const isUnavailable = (error: unknown) => error instanceof ApiError && error.code === 'UNAVAILABLE';
  assert.throws(() => ring.decrypt(encrypted, 'owner'), isUnavailable);
  keys = [added, encryptor];
  assert.equal(ring.decrypt(encrypted, 'owner'), 'secret');
  assert.equal(ring.newest, added);
  const before = loads;
  ring.decrypt(encrypted, 'owner');
  ring.decrypt(encryptor.encrypt('secret', 'owner'), 'owner');
  assert.equal(loads, before, 'known keys are not loaded again');
});

test('A key ring signs with the key of the value that it decrypted last', () => {
  const added = createEncryptionKey(randomBytes(32));
  const ring = new KeyRing(() => [added, encryptor]);
  const isFrom = (signer: EncryptionKey) =>
    assert.deepEqual(ring.sign('text', 'purpose'), signer.sign('text', 'purpose'));
  isFrom(added);
  ring.decrypt(encryptor.encrypt('secret', 'owner'), 'owner');
  isFrom(encryptor);
  assert.throws(() => ring.decrypt(added.encrypt('secret', 'owner'), 'another owner'));
  isFrom(encryptor);
  ring.decrypt(added.encrypt('secret', 'owner'), 'owner');
  isFrom(added);
});

test('A digest is SHA-256 in hexadecimal and verifies a secret', () => {
  const kept = digest('secret');
  assert.equal(kept, createHash('sha256').update('secret').digest('hex'));
  assert.equal(isSameSecret('secret', kept), true);
  for (const other of ['', 'Secret', 'secret ', kept]) assert.equal(isSameSecret(other, kept), false);
});
