import type { Storage } from '../db/storage.ts';
import type { KeyLocks } from '../features/idempotency/key-locks.ts';
import type { WebhookControl } from '../features/webhooks/webhook.routes.ts';
import type { Encryptor } from '../lib/encryption.ts';
import { describeApi, describeDashboard } from '../wiring/documents.ts';
import type { Command, ParsedArgs } from './command.ts';
import { printText } from './output.ts';

/** Only the descriptions of the routes are used. */
const noStorage = {} as Storage;
const noEncryptor = {} as Encryptor;
const noKeyLocks = {} as KeyLocks;
const noWebhooks = {} as WebhookControl;

const printDocument = ({ flag }: ParsedArgs): void => {
  const options = {
    storage: noStorage,
    encryptor: noEncryptor,
    runner: { wake: () => {} },
    isStopping: () => false,
    keyLocks: noKeyLocks,
    importQuota: 0,
    webhooks: noWebhooks,
  };
  const document = flag('dashboard') ? describeDashboard(options) : describeApi(options);
  printText(`${JSON.stringify(document, null, 2)}\n`);
};

export const openapiCommand: Command = {
  forms: {
    'roster openapi [--dashboard]': ['Prints the OpenAPI document of the /v1 API as JSON.', printDocument],
  },
  options: { dashboard: "Print the document of the dashboard's API instead." },
};
