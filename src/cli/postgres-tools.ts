import { print, quoted } from './command.ts';
import { printError } from './output.ts';

/** The address of a server without the password, for a command line that others may read. */
const shownUrl = (url: string): string => {
  const shown = new URL(url);
  shown.password = '';
  shown.searchParams.delete('password');
  return shown.href;
};

interface Elsewhere {
  readonly title: string;
  readonly commands: readonly string[];
  readonly notes: readonly string[];
}

/** Says what to do where the engine has better tools of its own, does nothing, and ends with 3. */
export const tellElsewhere = (json: boolean, { title, commands, notes }: Elsewhere): void => {
  process.exitCode = 3;
  const lines = commands.map((command) => `  ${command}`);
  if (json) print(json, { done: false, commands, notes }, '');
  else printError(`${[title, '', ...lines, '', ...notes, 'Nothing was written.'].join('\n')}\n`);
};

const PASSWORD = 'The tools ask for the password, or take it from PGPASSWORD or ~/.pgpass.';

/** The dump is for its owner alone, like any backup. */
export const dumping = (url: string, file: string): Elsewhere => ({
  title: 'The database is on PostgreSQL, whose own tools back it up while the service runs:',
  commands: [
    `(umask 077; pg_dump --format=custom --no-owner --file=${quoted(file)} --dbname=${quoted(shownUrl(url))})`,
  ],
  notes: [
    PASSWORD,
    'pg_dump must be as new as the server, or newer.',
    'That the file is there proves nothing: restore it into an empty database, and let npx roster verify check that.',
    'Keep secret.key of the data folder, or ROSTER_SECRET_KEY, too, in another place.',
  ],
});

export const loading = (url: string, file: string): Elsewhere => ({
  title: 'The database is on PostgreSQL, whose own tools restore it. Stop every service first, then:',
  commands: [
    `pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${quoted(shownUrl(url))} ${quoted(file)}`,
    'npx roster verify',
  ],
  notes: [PASSWORD, 'Into an empty database, leave out --clean --if-exists.'],
});
