import { readConfig } from '../config/config.ts';
import { distributeDatabase } from '../db/open/distribute.ts';
import { type Command, type ParsedArgs, pluralize, UsageError } from './command.ts';
import { progressBar } from './progress.ts';

const distribute = async ({ print }: ParsedArgs): Promise<void> => {
  const { database } = readConfig(process.env);
  if (database.engine !== 'postgres')
    throw new UsageError(
      'SQLite cannot be distributed. Set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  const progress = progressBar('Distributing', { unit: 'tables' });
  const result = await distributeDatabase(database, ({ at, count }) => progress.update(at, count)).finally(
    progress.end,
  );
  const { moved, tables } = result;
  const where = `${tables.distributed} by workspace, ${tables.reference} on every node, ${tables.local} on the coordinator`;
  const message =
    moved.length === 0
      ? `Nothing to do: all tables are distributed (${where}).`
      : `Distributed ${pluralize(moved.length, 'table')} (now ${where}). Restart running instances.`;
  print(result, message);
};

export const distributeCommand: Command = {
  forms: {
    'roster distribute [--json]': [
      'Distributes the tables of a PostgreSQL with the Citus extension by workspace. Can be repeated.',
      distribute,
    ],
  },
};
