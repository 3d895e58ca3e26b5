import { PROGRAM } from '../lib/executable.ts';
import type { Command } from './command.ts';

export const startCommand: Command = {
  forms: {
    'roster start': [
      `Starts the service. Configure it with environment variables; ${PROGRAM} --help lists them.`,
      async () => void (await import('../entry/main.ts')),
    ],
  },
};
