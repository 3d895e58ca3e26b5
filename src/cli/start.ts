import { PROGRAM } from '../lib/executable.ts';
import { type Command, usageError } from './command.ts';

const usage = {
  'roster start': `Starts the service. Configure it with environment variables; ${PROGRAM} --help lists them.`,
};

export const startCommand: Command = {
  usage,
  options: {},
  run: async ({ positionals }) => {
    if (positionals.length > 0) throw usageError(usage);
    await import('../entry/main.ts');
  },
};
