import type { TestContext } from 'node:test';
import {
  type WebhookRequest,
  WebhookSender,
  type WebhookSenderOptions,
} from '../../../src/features/webhooks/webhook.sender.ts';
import { webhookRules } from '../../../src/features/webhooks/webhook.url.ts';

/** For tests 127.0.0.1 is a public address, and all others of the machine are private. */
export const LOCAL_RULES = webhookRules({ allowHttp: true, allowedNetworks: ['127.0.0.1'] });

/** For requests that are meant to fail at their deadline. */
export const SHORT_MS = 250;

/** A sender that reaches 127.0.0.1, and a function that sends one webhook. */
export const startSender = (test: TestContext, options: Partial<WebhookSenderOptions> = {}) => {
  const sender = new WebhookSender({ rules: LOCAL_RULES, ...options });
  test.after(() => sender.close());
  return {
    sender,
    send: (url: string, changes: Partial<WebhookRequest> = {}) =>
      sender.send({
        url,
        pool: 'endpoint',
        headers: {},
        body: '{"a":"ä"}',
        timeoutMs: 5_000,
        ...changes,
      }),
  };
};
