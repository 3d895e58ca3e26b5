import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGE_HEADER, ARMOR_HEADER } from '../backups/encryption.ts';
import { readConfig } from '../config/config.ts';
import { decryptedIfNeeded, readEncryption } from './backup.options.ts';
import { type ParsedArgs, parseCommand } from './command.ts';

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

test('BACKUP_ENCRYPT_TO and BACKUP_PASSPHRASE encrypt a backup, and options replace them', () => {
  const [one, other] = [`age1${'q'.repeat(58)}`, `age1${'p'.repeat(58)}`];
  const parsed = (args: string[]) => {
    const found: ParsedArgs[] = [];
    const form = ['Backs up.', (each: ParsedArgs) => void found.push(each)] as const;
    parseCommand(args, { forms: { 'roster backup [--encrypt-to KEY]…': form } })();
    return found[0] as ParsedArgs;
  };
  const encryption = (environment: Record<string, string>, ...args: string[]) =>
    readEncryption(parsed(args), readConfig(environment).backup);
  assert.equal(encryption({}), undefined);
  assert.deepEqual(encryption({ BACKUP_ENCRYPT_TO: `${one},${other}` }), { recipients: [one, other] });
  assert.deepEqual(encryption({ BACKUP_PASSPHRASE: 'a long passphrase' }), {
    passphrase: 'a long passphrase',
  });
  assert.deepEqual(encryption({ BACKUP_ENCRYPT_TO: one }, '--encrypt-to', other), { recipients: [other] });
});
