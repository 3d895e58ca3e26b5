import { describeApi, describeDashboard } from '../app.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { Storage } from '../storage/storage.ts';
import type { Command } from './command.ts';

/** Nothing is stored or sealed: the documents are made from the routes alone. */
const noStorage = {} as Storage;
const noSealer = {} as Sealer;

export const openapiCommand: Command = {
  usage: ['roster openapi [--dashboard]'],
  run: async (args) => {
    const document = args.includes('--dashboard')
      ? describeDashboard({
          storage: noStorage,
          sealer: noSealer,
          runner: { wake: () => {} },
          isStopping: () => false,
        })
      : describeApi(noStorage);
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  },
};
