import { existsSync, statSync } from 'node:fs';
import type { Storage } from '../db/storage.ts';
import { exportContacts, exportFormat } from '../features/imports/export.ts';
import type { Principal } from '../features/workspaces/principal.ts';
import { writeFile } from '../lib/file-problems.ts';
import {
  alreadyExists,
  type Command,
  inWorkspace,
  type ParsedArgs,
  pluralize,
  readField,
} from './command.ts';
import { outputError, writeAll } from './output.ts';
import { progressBar } from './progress.ts';
import { cannotWrite } from './temp-file.ts';

/** False for devices and pipes: writing to them overwrites nothing. */
const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

const writeTo = (file: string | undefined, contents: AsyncIterable<string>): Promise<void> =>
  file === undefined
    ? writeAll(process.stdout, contents)
    : writeFile(file, contents, (error) =>
        error.syscall === 'write' ? outputError(file, error) : cannotWrite(file, error),
      );

const run = async ({ operands: [file], text, flag, print }: ParsedArgs): Promise<void> => {
  const chosen = text('format') ?? (file?.endsWith('.jsonl') ? 'jsonl' : 'csv');
  const format = readField('format', exportFormat, chosen);
  if (file && !flag('force') && isFile(file)) throw alreadyExists('export', file);
  const selection = { filter: { tag: text('tag'), search: text('search') } };
  const exportTo = async (storage: Storage, principal: Principal) => {
    const bar = progressBar('Exporting');
    let contacts = 0;
    const onProgress = (count: number) => {
      contacts = count;
      bar.update(count);
    };
    const contents = exportContacts(storage, principal, {
      selection,
      format,
      withFields: true,
      forPrograms: flag('raw'),
      onProgress,
    });
    await writeTo(file, contents).finally(() => bar.end());
    if (file === undefined) return;
    print({ file, format, contacts }, `Exported ${pluralize(contacts, 'contact')} to ${file}.`);
  };
  await inWorkspace(text('workspace'), exportTo);
};

export const exportCommand: Command = {
  forms: {
    [`roster export [FILE] [--workspace W] [--format csv|jsonl] [--tag T] [--search S]
                     [--raw] [--force] [--json]`]: [
      'Writes the contacts of a workspace to a file, or prints them if no file is given.',
      run,
    ],
  },
  options: {
    format: 'csv, or jsonl (one JSON object per line). Default: from the file name, or csv.',
    tag: 'Only contacts with this tag.',
    search: 'Only contacts with this text in their number, name or email.',
    raw: 'Write CSV for programs: without a byte order mark, and without the apostrophe before formulas and numbers.',
    json: 'Print a summary of the written file as JSON.',
  },
};
