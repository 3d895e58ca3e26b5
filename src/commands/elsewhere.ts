import { quoted } from './command.ts';

/** The address of a server without the password, for a command line that others may read. */
const shownUrl = (url: string): string => {
  const shown = new URL(url);
  shown.password = '';
  shown.searchParams.delete('password');
  return shown.href;
};

/** What to do where the engine has better tools of its own. */
export class ElsewhereError extends Error {}

const PASSWORD = 'They ask for the password, or take it from PGPASSWORD or ~/.pgpass.';
const KEY = 'Keep secret.key of the data folder, or ROSTER_SECRET_KEY, too, in another place.';

export const dumpWords = (url: string, file: string): ElsewhereError =>
  new ElsewhereError(`The database is on PostgreSQL, whose own tools back it up while the service runs:

  pg_dump --format=custom --no-owner --file=${quoted(file)} --dbname=${quoted(shownUrl(url))}

${PASSWORD} ${KEY} Nothing was written.`);

export const loadWords = (url: string, file: string): ElsewhereError =>
  new ElsewhereError(`The database is on PostgreSQL, whose own tools restore it. Stop every service first, then:

  pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${quoted(shownUrl(url))} ${quoted(file)}
  npx roster verify

${PASSWORD} Into an empty database, leave out --clean --if-exists. Nothing was written.`);
