import { createHash } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { DAY_MS } from '../lib/clock.ts';
import { version } from '../lib/version.ts';
import { type BackupInfo, backupName, manifestName, parseBackupName } from './names.ts';
import { BackupError, type ObjectStore } from './object-store.ts';

export interface StoredBackup extends BackupInfo {
  readonly name: string;
  readonly bytes: number;
}

interface Manifest extends StoredBackup {
  readonly sha256: string;
  readonly roster: string;
}

const newestFirst = (one: StoredBackup, other: StoredBackup): number => (one.name < other.name ? 1 : -1);

/** All complete backups, newest first, and the names of incomplete ones. */
const survey = async (store: ObjectStore) => {
  const objects = await store.list();
  const names = new Set(objects.map(({ name }) => name));
  const found = objects.flatMap(({ name, bytes }) => {
    const info = parseBackupName(name);
    return info ? [{ ...info, name, bytes }] : [];
  });
  const isComplete = ({ name }: StoredBackup) => names.has(manifestName(name));
  return {
    complete: found.filter(isComplete).sort(newestFirst),
    incomplete: found.filter((backup) => !isComplete(backup)),
  };
};

export const listBackups = async (store: ObjectStore): Promise<StoredBackup[]> =>
  (await survey(store)).complete;

/** Clocks may differ by this much. */
const CLOCK_TOLERANCE_MS = 3_600_000;

/** Separates backups that are dated in the future, by a clock that was wrong: the newest of the others shows whether one is
 *  due. */
export const separateFuture = <T extends { readonly created_at: string }>(
  backups: readonly T[],
  now: number,
): { current: T[]; future: T[] } => {
  const isFuture = ({ created_at }: T) => Date.parse(created_at) > now + CLOCK_TOLERANCE_MS;
  return { current: backups.filter((each) => !isFuture(each)), future: backups.filter(isFuture) };
};

/** Passes chunks on, and counts and hashes them. */
const measured = (content: AsyncIterable<Uint8Array>) => {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    result: () => ({ bytes, sha256: hash.digest('hex') }),
    async *[Symbol.asyncIterator]() {
      for await (const chunk of content) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
  };
};

const sha256Of = async (content: AsyncIterable<Uint8Array>): Promise<string> => {
  const stream = measured(content);
  for await (const _ of stream);
  return stream.result().sha256;
};

async function* oneChunk(text: string) {
  yield Buffer.from(text);
}

/** Stores a backup, verifies what was stored, and then writes the manifest that makes it one. */
export const storeBackup = async (
  store: ObjectStore,
  info: BackupInfo,
  content: AsyncIterable<Uint8Array>,
  { maxBytes }: { maxBytes: number },
): Promise<StoredBackup> => {
  const name = backupName(info);
  const stream = measured(content);
  await store.write(name, stream, maxBytes);
  const { bytes, sha256 } = stream.result();
  if (!store.verifiesWrites && (await sha256Of(store.read(name))) !== sha256) {
    await store.remove(name);
    throw new BackupError(`The stored copy of ${name} differs from what was written, so it was deleted.`);
  }
  const manifest: Manifest = { name, ...info, bytes, sha256, roster: version };
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  await store.write(manifestName(name), oneChunk(text), Buffer.byteLength(text));
  return { ...info, name, bytes };
};

/** The content of a backup. Throws at the end if it differs from the manifest; a backup that was copied without its manifest
 *  is not compared. */
export async function* readBackup(store: ObjectStore, name: string): AsyncGenerator<Uint8Array> {
  const names = new Set((await store.list()).map((object) => object.name));
  if (!names.has(name)) throw new BackupError(`There is no backup ${name}.`);
  const expected = names.has(manifestName(name))
    ? ((await json(store.read(manifestName(name)))) as Partial<Manifest>)
    : undefined;
  const stream = measured(store.read(name));
  yield* stream;
  const { bytes, sha256 } = stream.result();
  if (expected && (expected.bytes !== bytes || expected.sha256 !== sha256))
    throw new BackupError(`${name} is damaged: it differs from its manifest ${manifestName(name)}.`);
}

/** Deletes expired backups and, also without limits, incomplete ones that are older than a day: another process may still
 *  be writing a younger one.
 *  Never deletes the one that was just written. Returns the names. The manifest goes first, so that an interrupted deletion leaves no backup that seems complete. */
export const applyRetention = async (
  store: ObjectStore,
  retention: Retention,
  { now, written }: { now: number; written: string },
): Promise<string[]> => {
  const { complete, incomplete } = await survey(store);
  const abandoned = incomplete.filter(({ created_at }) => Date.parse(created_at) < now - DAY_MS);
  const chosen = [...abandoned, ...expired(complete, retention, now)]
    .filter(({ name }) => name !== written)
    .sort(newestFirst)
    .reverse();
  for (const { name } of chosen) {
    await store.remove(manifestName(name));
    await store.remove(name);
  }
  return chosen.map(({ name }) => name);
};

export interface Retention {
  /** How many of the newest backups to keep. */
  readonly count: number | undefined;
  /** Keep backups that are not older than this. */
  readonly days: number | undefined;
}

/** The backups to delete, of a list from the newest to the oldest. With both limits, a backup stays if one of them keeps it.
 *  The newest backup always stays. */
export const expired = <T extends { readonly created_at: string }>(
  newestFirst: readonly T[],
  { count, days }: Retention,
  now: number,
): T[] => {
  if (count === undefined && days === undefined) return [];
  const oldest = days === undefined ? Number.POSITIVE_INFINITY : now - days * DAY_MS;
  return newestFirst.filter(
    ({ created_at }, at) => at >= Math.max(1, count ?? 0) && Date.parse(created_at) < oldest,
  );
};
