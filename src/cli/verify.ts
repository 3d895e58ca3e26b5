import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import type { Check, Snapshot } from '../db/check.ts';
import type { Database } from '../db/database.ts';
import { openSnapshot } from '../db/snapshot.ts';
import { SEALED_COLUMNS, SEALED_SINCE, type SealedRow } from '../features/channels/channel.seal.ts';
import { type Verdict, verify } from '../features/verify/verify.ts';
import { KeySource } from '../features/workspaces/secret-key.ts';
import type { KeyRing } from '../lib/encryption.ts';
import { AS_JSON, type Command, counted, print, usageError } from './command.ts';
import { printText } from './output.ts';
import { statusLine } from './progress.ts';

const usage = {
  'roster verify [FILE] [--json]':
    'Checks the database, or the file of a backup, and changes nothing. Ends with 1 when something is wrong.',
};

export interface Verified {
  readonly schema: number;
  readonly contacts: number;
  readonly agents: number;
  readonly verdicts: readonly Verdict[];
  /** What is wrong with the sealing key, where nothing is wrong with the database itself. */
  readonly keyFault: string | undefined;
}

const COUNTS = `select (select count(*) from contacts) as contacts,
  (select count(*) from agents where deleted_at is null) as agents`;

const countsOf = async (snapshot: Snapshot) => {
  const [found] = await snapshot.all<{ contacts: number; agents: number }>(COUNTS).catch(() => []);
  return { contacts: Number(found?.contacts ?? 0), agents: Number(found?.agents ?? 0) };
};

/** Checks a database, and tells each verdict as it is found. */
export const verifyDatabase = async (
  database: Database,
  onVerdict: (verdict: Verdict) => void = () => {},
): Promise<Verified> => {
  const snapshot = await openSnapshot(database);
  const status = statusLine();
  try {
    const verdicts: Verdict[] = [];
    const [key, secrets] = sealed();
    for await (const verdict of verify(snapshot, { more: [key, secrets], onStart: status.show })) {
      status.clear();
      onVerdict(verdict);
      verdicts.push(verdict);
    }
    const [wrong, ...more] = verdicts.filter(({ count }) => count > 0);
    const keyFault = wrong?.name === key.name && more.length === 0 ? wrong.examples[0] : undefined;
    return { schema: snapshot.schema, ...(await countsOf(snapshot)), verdicts, keyFault };
  } finally {
    status.clear();
    await snapshot.close();
  }
};

const NAMES = SEALED_COLUMNS.join(', ');

/** What a service needs beside the database to start on it, and to open every secret in it. */
const sealed = (): [key: Check, secrets: Check] => {
  const { secretKeys, dataDir } = readConfig(process.env);
  const keys = new KeySource(secretKeys, dataDir);
  const checkIn = async (snapshot: Snapshot) => {
    const [check] = await snapshot.all<{ sealed: string }>('select sealed from seal_checks');
    return { isSealed: check !== undefined, fault: check && keys.faultWith(check.sealed) };
  };
  const key: Check = {
    name: `${keys.name} opens the secrets of channels`,
    since: 2,
    find: async (snapshot) => {
      const { fault } = await checkIn(snapshot);
      return { count: fault ? 1 : 0, examples: fault ? [fault] : [] };
    },
  };
  const secrets: Check = {
    name: 'every secret of a channel is sealed with a key that is there',
    since: SEALED_SINCE,
    find: async (snapshot) => {
      const { isSealed, fault } = await checkIn(snapshot);
      if (!isSealed || fault) return { count: 0, examples: [] };
      const rows = await snapshot.all<SealedRow>(`select id, ${NAMES} from channels`);
      const ring = keys.ring();
      const wrong = rows.filter((row) => !SEALED_COLUMNS.every((column) => opens(ring, row[column], row.id)));
      return { count: wrong.length, examples: wrong.slice(0, 3).map(({ id }) => id) };
    },
  };
  return [key, secrets];
};

const opens = (ring: KeyRing, value: string | null, owner: string): boolean => {
  try {
    return value === null || ring.open(value, owner) !== undefined;
  } catch {
    return false;
  }
};

export const isSound = ({ verdicts }: Verified): boolean => verdicts.every(({ count }) => count === 0);

export const verdictWords = ({ name, count, examples }: Verdict): string => {
  if (count === 0) return `ok     ${name}`;
  const more = count - examples.length;
  const lines = [...examples, ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])];
  return [`WRONG  ${name}`, ...lines.map((line) => `         ${line}`)].join('\n');
};

/** Checks a database, or the file of a backup. Changes nothing. */
export const verifyCommand: Command = {
  usage,
  options: { json: AS_JSON },
  run: async ({ words, json }) => {
    const [file, ...more] = words;
    if (more.length > 0) throw usageError(usage);
    const { database } = readConfig(process.env);
    const verified = await verifyDatabase(
      file === undefined ? database : { engine: 'sqlite', path: resolve(file) },
      (verdict) => json || printText(`${verdictWords(verdict)}\n`),
    );
    const { schema, contacts, agents, verdicts } = verified;
    const ok = isSound(verified);
    if (!ok) process.exitCode = 1;
    const wrong = verdicts.filter(({ count }) => count > 0).length;
    const holds = `${counted(contacts, 'contact')} and ${counted(agents, 'agent')}`;
    print(
      json,
      { ok, schema, contacts, agents, checks: verdicts },
      ok
        ? `All ${verdicts.length} checks are passed: ${holds}.`
        : `${wrong} of ${verdicts.length} checks found something wrong.`,
    );
  },
};
