import { existsSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { exportContacts, exportFormats } from '../features/imports/export.ts';
import {
  AS_JSON,
  type Command,
  inWorkspace,
  print,
  thereAlready,
  UsageError,
  usageError,
  WORKSPACE,
} from './command.ts';
import { outputError, writeAll } from './output.ts';
import { progressBar } from './progress.ts';

const usage = {
  [`roster export [FILE] [--workspace W] [--format csv|jsonl] [--tag T] [--search S]
                     [--force] [--json]`]:
    'Writes the contacts of a workspace to a file, or prints them where no file is named.',
};

const options = {
  workspace: WORKSPACE,
  format: {
    type: 'string',
    means: 'csv for spreadsheets, or jsonl, one JSON object a line (by the name, or csv)',
  },
  tag: { type: 'string', means: 'only contacts that have this tag' },
  search: { type: 'string', means: 'only contacts with this text in their number, name or email' },
  force: { type: 'boolean', means: 'replace a file that is there already' },
  json: { ...AS_JSON, means: 'print as JSON what was written to the file' },
} as const;

const REASONS: Record<string, string> = {
  ENOENT: 'its folder is not there',
  EISDIR: 'it is a folder',
  EACCES: 'you may not write there',
};

/** Not so a device or a pipe, which loses nothing. */
const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

const openFile = (file: string): Promise<FileHandle> =>
  open(file, 'w', 0o600).catch((error: { code?: string }) => {
    const reason = REASONS[error.code ?? ''] ?? 'it cannot be opened';
    throw new UsageError(`Nothing can be written to ${file}: ${reason}.`);
  });

const writeTo = async (file: string | undefined, contents: AsyncIterable<string>): Promise<void> => {
  if (file === undefined) return writeAll(process.stdout, contents);
  const output = (await openFile(file)).createWriteStream({ encoding: 'utf8' });
  await pipeline(contents, output).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === 'write' ? outputError(file, error) : error;
  });
};

export const exportCommand: Command = {
  usage,
  options,
  run: async ({ words, text, flag, json }) => {
    const [file, ...more] = words;
    if (more.length > 0) throw usageError(usage);
    const wanted = text('format') ?? (file?.endsWith('.jsonl') ? 'jsonl' : 'csv');
    const format = exportFormats.find((each) => each === wanted);
    if (!format) throw new UsageError(`--format must be ${exportFormats.join(' or ')}, not ${wanted}.`);
    if (file && !flag('force') && isFile(file)) throw thereAlready('export', file);
    const selection = { tag: text('tag'), search: text('search') };
    await inWorkspace(text('workspace'), async (storage, principal) => {
      const bar = progressBar('Exporting');
      let contacts = 0;
      const onProgress = (count: number) => {
        contacts = count;
        bar.update(count);
      };
      const contents = exportContacts(storage, principal, { selection, format, onProgress });
      await writeTo(file, contents).finally(() => bar.end());
      if (file === undefined) return;
      const count = `${contacts.toLocaleString('en')} ${contacts === 1 ? 'contact is' : 'contacts are'}`;
      print(json, { file, format, contacts }, `${count} in ${file}.`);
    });
  },
};
