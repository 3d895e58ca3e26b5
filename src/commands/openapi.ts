import { describeApi } from '../app.ts';
import type { Storage } from '../storage/storage.ts';
import type { Command } from './command.ts';

/** Nothing is stored or read: the document is made from the routes alone. */
const noStorage = {} as Storage;

export const openapiCommand: Command = {
  usage: ['roster openapi'],
  run: async () => {
    process.stdout.write(`${JSON.stringify(describeApi(noStorage), null, 2)}\n`);
  },
};
