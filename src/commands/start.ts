import type { Command } from './command.ts';

export const startCommand: Command = {
  usage: ['roster start'],
  run: async () => {
    await import('../serve.ts');
  },
};
