import { resolve } from 'node:path';
import { encryptionOf } from '../backups/encryption.ts';
import { readConfig } from '../config/config.ts';
import { type Check, FindingCollector, type Snapshot } from '../db/check.ts';
import type { Database } from '../db/database.ts';
import { openSnapshot } from '../db/open/snapshot.ts';
import { channelEncryption } from '../features/channels/channel.secrets.ts';
import { chatModelEncryption } from '../features/playground/chat-model.service.ts';
import { type CheckResult, verify } from '../features/verify/verify.ts';
import { webhookEncryption } from '../features/webhooks/webhook.service.ts';
import type { EncryptedColumns, EncryptedRow } from '../features/workspaces/encrypted-columns.ts';
import { KeySource } from '../features/workspaces/secret-key.ts';
import { withBusyThread } from '../lib/interrupt.ts';
import { type Command, type ParsedArgs, pluralize, UsageError } from './command.ts';
import { printText } from './output.ts';
import { statusLine } from './progress.ts';

const COUNTS = `select (select count(*) from contacts) as contacts,
  (select count(*) from agents where deleted_at is null) as agents`;

const countsOf = async (snapshot: Snapshot) => {
  const [found] = await snapshot.all<{ contacts: number; agents: number }>(COUNTS).catch(() => []);
  return { contacts: Number(found?.contacts ?? 0), agents: Number(found?.agents ?? 0) };
};

/** Runs all checks on a database and reports each result immediately. `keyProblem` is the problem with the encryption key, if
 *  that is the only failed check. `isSound` says that its files, indexes and schema are intact, whatever the rows contain. */
export const verifyDatabase = (
  database: Database,
  onResult: (result: CheckResult) => void = () => {},
  { forMove = false } = {},
) =>
  withBusyThread(async () => {
    const snapshot = await openSnapshot(database, { forMove });
    const status = statusLine();
    try {
      const results: CheckResult[] = [];
      const [key, ...secrets] = secretChecks();
      for await (const result of verify(snapshot, { more: [key, ...secrets], onStart: status.show })) {
        status.clear();
        onResult(result);
        results.push(result);
      }
      const failed = results.filter(({ count }) => count > 0);
      const keyProblem = failed.every(({ name }) => name === key.name) ? failed[0]?.examples[0] : undefined;
      const ofEngine = new Set(snapshot.checks.map(({ name }) => name));
      const isSound = !failed.some(({ name }) => ofEngine.has(name));
      return { schema: snapshot.schema, ...(await countsOf(snapshot)), results, failed, keyProblem, isSound };
    } finally {
      status.clear();
      await snapshot.close();
    }
  });

export type VerifyReport = Awaited<ReturnType<typeof verifyDatabase>>;

/** Checks that the configured key decrypts every secret in the database. */
const secretChecks = (): [key: Check, ...secrets: Check[]] => {
  const { secretKeys, dataDir } = readConfig(process.env);
  const keys = new KeySource(secretKeys, dataDir);
  const key: Check = {
    name: `${keys.name} decrypts the secrets of channels`,
    find: async (snapshot) => {
      const problem = (await readKeyState(snapshot, keys))?.problem;
      return { count: problem ? 1 : 0, examples: problem ? [problem] : [] };
    },
  };
  const secretsOf = (name: string, { table, columns, since }: EncryptedColumns): Check => ({
    name,
    since,
    find: async (snapshot) => {
      const found = new FindingCollector();
      const state = await readKeyState(snapshot, keys);
      if (!state || state.problem) return found;
      const ring = keys.ring();
      for (const row of await snapshot.all<EncryptedRow>(`select id, ${columns.join(', ')} from ${table}`))
        if (columns.some((column) => row[column] && ring.tryDecrypt(row[column], row.id) === undefined))
          found.add(row.id);
      return found;
    },
  });
  return [
    key,
    secretsOf('every channel secret is encrypted with an available key', channelEncryption),
    secretsOf('every webhook secret is encrypted with an available key', webhookEncryption),
    secretsOf('every key of a chat model is encrypted with an available key', chatModelEncryption),
  ];
};

/** Whether the keys decrypt the secrets of a database. Undefined if it has none yet. */
export const readKeyState = async (snapshot: Snapshot, keys: KeySource) => {
  const [check] = await snapshot.all<{ sealed: string }>('select sealed from seal_checks');
  return check && { problem: keys.problemWith(check.sealed) };
};

const formatResult = ({ name, count, examples }: CheckResult): string => {
  if (count === 0) return `ok     ${name}`;
  const more = count - examples.length;
  const lines = [...examples, ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])];
  return [`FAILED ${name}`, ...lines.map((line) => `         ${line}`)].join('\n');
};

export const describeFailures = ({ failed }: VerifyReport): string => failed.map(formatResult).join('\n');

const run = async ({ operands: [file], json, print }: ParsedArgs): Promise<void> => {
  const { database } = readConfig(process.env);
  if (file !== undefined && encryptionOf(resolve(file)))
    throw new UsageError(
      `${file} is encrypted. Decrypt it with age, or restore it to another data folder, and verify that.`,
    );
  const onResult = (result: CheckResult) => json || printText(`${formatResult(result)}\n`);
  const verified = await verifyDatabase(
    file === undefined ? database : { engine: 'sqlite', path: resolve(file) },
    onResult,
  );
  const { schema, contacts, agents, results: checks, failed } = verified;
  const ok = failed.length === 0;
  if (!ok) process.exitCode = 1;
  const contents = `${pluralize(contacts, 'contact')} and ${pluralize(agents, 'agent')}`;
  const summary = ok
    ? `All ${checks.length} checks passed: ${contents}.`
    : `${failed.length} of ${checks.length} checks failed.`;
  print({ ok, schema, contacts, agents, checks }, summary);
};

export const verifyCommand: Command = {
  forms: {
    'roster verify [FILE] [--json]': [
      'Checks the database or a backup file without changing it. Exits with status 1 if a check fails.',
      run,
    ],
  },
};
