import { type Command, usageError } from './command.ts';

const usage = {
  'roster start':
    'Starts the service, like npm start. The environment configures it: npx roster --help lists the variables.',
};

export const startCommand: Command = {
  usage,
  options: {},
  run: async ({ words }) => {
    if (words.length > 0) throw usageError(usage);
    await import('../main.ts');
  },
};
