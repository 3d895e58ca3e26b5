import { existsSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '../db/storage.ts';
import { exportContacts, exportFormats } from '../features/imports/export.ts';
import type { Principal } from '../features/workspaces/principal.ts';
import { FILE_PROBLEMS } from '../lib/file-problems.ts';
import {
  alreadyExists,
  type Command,
  inWorkspace,
  type ParsedArgs,
  pluralize,
  readWord,
  UsageError,
} from './command.ts';
import { outputError, writeAll } from './output.ts';
import { progressBar } from './progress.ts';

/** False for devices and pipes: writing to them overwrites nothing. */
const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

const openFile = (file: string): Promise<FileHandle> =>
  open(file, 'w', 0o600).catch((error: { code?: string }) => {
    const reason = FILE_PROBLEMS[error.code ?? ''] ?? 'it cannot be opened';
    throw new UsageError(`Cannot write to ${file}: ${reason}.`);
  });

const writeTo = async (file: string | undefined, contents: AsyncIterable<string>): Promise<void> => {
  if (file === undefined) return writeAll(process.stdout, contents);
  const output = (await openFile(file)).createWriteStream({ encoding: 'utf8' });
  await pipeline(contents, output).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === 'write' ? outputError(file, error) : error;
  });
};

const run = async ({ operands: [file], text, flag, print }: ParsedArgs): Promise<void> => {
  const format = readWord(
    'format',
    exportFormats,
    text('format') ?? (file?.endsWith('.jsonl') ? 'jsonl' : 'csv'),
  );
  if (file && !flag('force') && isFile(file)) throw alreadyExists('export', file);
  const selection = { filter: { tag: text('tag'), search: text('search') }, except: [] };
  const exportTo = async (storage: Storage, principal: Principal) => {
    const bar = progressBar('Exporting');
    let contacts = 0;
    const onProgress = (count: number) => {
      contacts = count;
      bar.update(count);
    };
    const contents = exportContacts(storage, principal, { selection, format, onProgress });
    await writeTo(file, contents).finally(() => bar.end());
    if (file === undefined) return;
    print({ file, format, contacts }, `Exported ${pluralize(contacts, 'contact')} to ${file}.`);
  };
  await inWorkspace(text('workspace'), exportTo, { useReplica: true });
};

export const exportCommand: Command = {
  forms: {
    [`roster export [FILE] [--workspace W] [--format csv|jsonl] [--tag T] [--search S]
                     [--force] [--json]`]: [
      'Writes the contacts of a workspace to a file, or prints them if no file is given.',
      run,
    ],
  },
  options: {
    format: 'csv, or jsonl (one JSON object per line). Default: from the file name, or csv.',
    tag: 'Only contacts with this tag.',
    search: 'Only contacts with this text in their number, name or email.',
    json: 'Print a summary of the written file as JSON.',
  },
};
