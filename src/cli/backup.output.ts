import type { Encryption } from '../backups/encryption.ts';
import type { Config } from '../config/config.ts';
import { KeySource } from '../features/workspaces/secret-key.ts';
import { formatBytes } from '../lib/diagnosis.ts';
import type { BackupSource } from './backup.source.ts';
import { pluralize } from './command.ts';
import { withProgress } from './progress.ts';

export const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10;

/** The variable or the file with the key of the database's secrets. */
export const keyName = ({ secretKeys, dataDir }: Config): string => new KeySource(secretKeys, dataDir).name;

/** Encrypts the content if asked to, and shows progress. */
export async function* prepared(
  source: BackupSource,
  encryption: Encryption | undefined,
): AsyncGenerator<Uint8Array> {
  const total = source.info.engine === 'sqlite' ? source.maxBytes : undefined;
  const content = withProgress('Writing', source.content(), total);
  if (encryption) yield* (await import('../backups/age.ts')).encrypted(content, encryption);
  else yield* content;
}

interface BackupResult {
  readonly contacts: number | null;
  readonly agents: number | null;
  readonly bytes: number;
  readonly seconds: number;
  readonly encrypted: boolean;
}

const keyNote = (key: string): string =>
  `Channel secrets in the backup are encrypted with ${key}, which the backup does not contain.
You need this key to restore. Store it separately from the backup.`;

export const formatSummary = (
  { contacts, agents, bytes, seconds, encrypted }: BackupResult,
  where: string,
  key: string,
): string => {
  const counts =
    contacts === null ? '' : `${pluralize(contacts, 'contact')} and ${pluralize(agents ?? 0, 'agent')}, `;
  const verb = contacts === null ? 'Dumped the database to' : 'Copied and verified';
  return `${verb} ${where} in ${seconds} s: ${counts}${formatBytes(bytes)}${encrypted ? ', encrypted' : ''}.\n${keyNote(key)}`;
};
