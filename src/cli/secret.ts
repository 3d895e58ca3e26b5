import { readConfig } from '../config/config.ts';
import { DatabaseSetupError } from '../db/database.ts';
import type { Storage } from '../db/storage.ts';
import { channelEncryption } from '../features/channels/channel.secrets.ts';
import { chatModelEncryption } from '../features/playground/chat-model.service.ts';
import { webhookEncryption } from '../features/webhooks/webhook.service.ts';
import type { EncryptedRow, Replacement } from '../features/workspaces/encrypted-columns.ts';
import { CHECK_OWNER, CHECK_TEXT, findKeyCheck, replaceKeyCheck } from '../features/workspaces/key-check.ts';
import { KeySource } from '../features/workspaces/secret-key.ts';
import { listWorkspaceIds } from '../jobs/expiry.ts';
import { type EncryptionKey, type KeyRing, keyIdOf } from '../lib/encryption.ts';
import { PROGRAM } from '../lib/executable.ts';
import { type Command, type ParsedArgs, pluralize, UsageError, withStorage } from './command.ts';

/** Records per transaction: few enough that other writes do not wait long. */
const BATCH = 100;

/** The secrets that are encrypted with any other key, in batches. */
async function* outdated(storage: Storage, ring: KeyRing, key: EncryptionKey) {
  const replacementsOf = (row: EncryptedRow, columns: readonly string[]) =>
    columns.flatMap((column): Replacement[] => {
      const was = row[column];
      if (!was || keyIdOf(was) === key.id) return [];
      return [{ column, id: row.id, was, encrypted: key.encrypt(ring.decrypt(was, row.id), row.id) }];
    });
  for (const workspace of await storage.run(listWorkspaceIds, null, null)) {
    for (const { list, columns, replace } of [channelEncryption, webhookEncryption, chatModelEncryption]) {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const rows: EncryptedRow[] = await storage.run(list, null, { workspace, after, limit: BATCH });
        const replacements = rows.flatMap((row) => replacementsOf(row, columns));
        if (replacements.length > 0) yield { replace, batch: { workspace, replacements } };
        after = rows.length < BATCH ? undefined : rows.at(-1)?.id;
      }
    }
  }
}

const HOW_TO_CONFIGURE = `ROSTER_SECRET_KEY contains no key that is newer than the current one. To rotate the key:
  1. Create a key: openssl rand -base64 32
  2. Set ROSTER_SECRET_KEY to NEW,OLD for every instance and restart it. Instances still encrypt with the old key.
  3. Run ${PROGRAM} secret rotate with the same ROSTER_SECRET_KEY.
  4. Set ROSTER_SECRET_KEY to the new key only. This takes effect at the next restart.
Nothing was changed.`;

/** The key to rotate to: a configured key that is not current yet, the key of an interrupted rotation, or a new one. */
const findTarget = async (storage: Storage, keys: KeySource, check: string): Promise<KeyRing> => {
  const ring = keys.ring();
  if (ring.newest.id !== keyIdOf(check)) return ring;
  for await (const _ of outdated(storage, ring, ring.newest)) return ring;
  if (keys.isConfigured) throw new UsageError(HOW_TO_CONFIGURE);
  keys.append();
  return keys.ring();
};

const rotate = async (storage: Storage, keys: KeySource) => {
  const check = await storage.run(findKeyCheck, null, null);
  if (check === undefined)
    throw new DatabaseSetupError('This database has no encryption key yet. Start Roster once.');
  const problem = keys.problemWith(check);
  if (problem) throw new DatabaseSetupError(`The secrets cannot be decrypted: ${problem}.`);
  const ring = await findTarget(storage, keys, check);
  const key = ring.newest;
  if (keyIdOf(check) !== key.id) {
    const encrypted = key.encrypt(CHECK_TEXT, CHECK_OWNER);
    if (!(await storage.run(replaceKeyCheck, null, { was: check, encrypted })))
      throw new DatabaseSetupError(
        'Another rotation is running. Wait for it to finish, then run this command again.',
      );
  }
  let resealed = 0;
  for await (const { replace, batch } of outdated(storage, ring, key))
    resealed += await storage.run(replace, null, batch);
  return { key: keys.name, key_id: key.id, resealed };
};

const formatSummary = (
  { key, key_id, resealed }: Awaited<ReturnType<typeof rotate>>,
  isConfigured: boolean,
) =>
  [
    `The current key is ${key_id} in ${key}. Encrypted ${pluralize(resealed, 'secret')} with it.`,
    isConfigured
      ? 'From the next restart on, set ROSTER_SECRET_KEY to the new key only.'
      : 'The new key is the last line of the file. Back up the file now.',
    'Earlier backups need the old key. Keep it as long as you keep them.',
  ].join('\n');

const rotateSecret = async ({ print }: ParsedArgs): Promise<void> => {
  const { secretKeys, dataDir } = readConfig(process.env);
  const keys = new KeySource(secretKeys, dataDir);
  const rotated = await withStorage((storage) => rotate(storage, keys));
  print(rotated, formatSummary(rotated, keys.isConfigured));
};

export const secretCommand: Command = {
  forms: {
    'roster secret rotate [--json]': [
      'Encrypts the secrets of channels and webhooks with a new key. The service may be running. If interrupted, run it again.',
      rotateSecret,
    ],
  },
};
