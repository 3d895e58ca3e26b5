import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../config/config.ts';
import { readEncryption } from './backup.options.ts';
import { type ParsedArgs, parseCommand } from './command.ts';

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
