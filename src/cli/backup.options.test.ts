import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGE_HEADER, ARMOR_HEADER } from '../backups/encryption.ts';
import { decryptedIfNeeded } from './backup.options.ts';

async function* bytesOf(text: string) {
  for (const byte of Buffer.from(text)) yield Buffer.of(byte);
}

const read = async (text: string) => {
  const none = { identities: [], passphrase: undefined };
  return Buffer.concat(await Array.fromAsync(decryptedIfNeeded(bytesOf(text), none, 'the file'))).toString();
};

test('Encryption is detected in content that arrives byte by byte', async () => {
  await assert.rejects(read(`${AGE_HEADER}-> X25519 abcdefghijkl`), /the file is encrypted/);
  await assert.rejects(read(`${ARMOR_HEADER}\nabc`), /the file is armored/);
  for (const plain of ['', 'short', 'SQLite format 3 and more than 34 bytes of it'])
    assert.equal(await read(plain), plain);
});
