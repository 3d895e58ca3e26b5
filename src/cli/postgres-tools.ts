import { urlWithoutPassword } from '../db/postgres/client-tools.ts';
import { PROGRAM } from '../lib/executable.ts';
import { type ParsedArgs, shellQuote } from './command.ts';
import { printError } from './output.ts';

/** Prints the commands to run with PostgreSQL's own tools. Exits with status 3, because nothing was done. */
export const printInstructions = (
  { json, print }: ParsedArgs,
  { title, commands, notes }: ReturnType<typeof dumpInstructions>,
): void => {
  process.exitCode = 3;
  const lines = commands.map((command) => `  ${command}`);
  if (json) print({ done: false, commands, notes }, '');
  else printError(`${[title, '', ...lines, '', ...notes, 'Nothing was written.'].join('\n')}\n`);
};

const PASSWORD = 'The tools ask for the password, or read it from PGPASSWORD or ~/.pgpass.';

export const dumpInstructions = (url: string, file: string) => ({
  title:
    'pg_dump is not installed. Install the PostgreSQL client tools, or run this where they are; the service may be running:',
  commands: [
    `(umask 077; pg_dump --format=custom --no-owner --file=${shellQuote(file)} --dbname=${shellQuote(urlWithoutPassword(url))})`,
  ],
  notes: [
    PASSWORD,
    'pg_dump must not be older than the server.',
    `Test the backup: restore it into an empty database and check that with ${PROGRAM} verify.`,
    'Also store secret.key from the data folder, or ROSTER_SECRET_KEY, in a separate place.',
  ],
});

export const restoreInstructions = (url: string, file: string) => ({
  title:
    'pg_restore is not installed. Install the PostgreSQL client tools, or stop every service and run this where they are:',
  commands: [
    `pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${shellQuote(urlWithoutPassword(url))} ${shellQuote(file)}`,
    `${PROGRAM} verify`,
  ],
  notes: [PASSWORD, 'For an empty database, omit --clean --if-exists.'],
});
