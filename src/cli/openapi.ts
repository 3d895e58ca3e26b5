import type { Storage } from '../db/storage.ts';
import type { Sealer } from '../lib/encryption.ts';
import { describeApi, describeDashboard } from '../routes.ts';
import { type Command, usageError } from './command.ts';
import { printText } from './output.ts';

/** Nothing is stored or sealed: the documents are made from the routes alone. */
const noStorage = {} as Storage;
const noSealer = {} as Sealer;

const usage = {
  'roster openapi [--dashboard]': 'Prints the OpenAPI document of the API under /v1, as JSON.',
};

export const openapiCommand: Command = {
  usage,
  options: { dashboard: { type: 'boolean', means: "that of the dashboard's interface instead" } },
  run: async ({ words, flag }) => {
    if (words.length > 0) throw usageError(usage);
    const document = flag('dashboard')
      ? describeDashboard({
          storage: noStorage,
          sealer: noSealer,
          runner: { wake: () => {} },
          isStopping: () => false,
        })
      : describeApi(noStorage);
    printText(`${JSON.stringify(document, null, 2)}\n`);
  },
};
