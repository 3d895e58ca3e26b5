import assert from 'node:assert/strict';
import { createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createSealer, digest, isSameSecret } from './seal.ts';

const key = Buffer.alloc(32, 7);
const sealer = createSealer(key);

test('what was sealed for an owner is opened for that owner', () => {
  for (const secret of ['', 'whsec_abc', 'ä🔑'.repeat(500)]) {
    assert.equal(sealer.open(sealer.seal(secret, 'channel_1'), 'channel_1'), secret);
  }
  assert.equal(createSealer(Buffer.from(key)).open(sealer.seal('s', 'o'), 'o'), 's');
});

test('it is AES-256-GCM: a nonce of 12 bytes, a tag of 16, the text', () => {
  const bytes = Buffer.from(sealer.seal('secret', 'owner'), 'base64');
  assert.equal(bytes.length, 12 + 16 + 'secret'.length);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from('owner')).setAuthTag(bytes.subarray(12, 28));
  assert.equal(decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8'), 'secret');
});

test('the same secret is never sealed alike', () => {
  const sealed = new Set(Array.from({ length: 100 }, () => sealer.seal('secret', 'owner').slice(0, 16)));
  assert.equal(sealed.size, 100);
});

test('it is not opened for another owner, nor with another key', () => {
  const sealed = sealer.seal('secret', 'channel_1');
  assert.throws(() => sealer.open(sealed, 'channel_2'));
  assert.throws(() => sealer.open(sealed, ''));
  assert.throws(() => createSealer(randomBytes(32)).open(sealed, 'channel_1'));
});

test('it is not opened when one byte of it is another, or some are missing', () => {
  const bytes = Buffer.from(sealer.seal('secret', 'owner'), 'base64');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ 1;
    assert.throws(() => sealer.open(changed.toString('base64'), 'owner'), `byte ${at}`);
    assert.throws(() => sealer.open(bytes.subarray(0, at).toString('base64'), 'owner'), `the first ${at}`);
  }
});

test('a tag that was cut short is not taken for one', () => {
  const whole = Buffer.from(sealer.seal('', 'owner'), 'base64');
  for (const length of [4, 8, 12, 13, 14, 15]) {
    assert.throws(() => sealer.open(whole.subarray(0, 12 + length).toString('base64'), 'owner'), `${length}`);
  }
});

test('a digest is SHA-256 in hexadecimal, and tells whether a secret is the same', () => {
  const kept = digest('secret');
  assert.equal(kept, createHash('sha256').update('secret').digest('hex'));
  assert.equal(isSameSecret('secret', kept), true);
  for (const other of ['', 'Secret', 'secret ', kept]) assert.equal(isSameSecret(other, kept), false);
});
