import type { Storage } from '../../db/storage.ts';
import { ok, routesOf } from '../../http/pipeline/route.ts';
import type { Encryptor } from '../../lib/encryption.ts';
import { invalidField } from '../../lib/errors.ts';
import type * as v from '../../lib/validation.ts';
import { newWebhookSecret } from '../../lib/webhook-signature.ts';
import { needs } from '../workspaces/access.ts';
import { secretRoutes } from '../workspaces/secret.routes.ts';
import { attemptQuery, attemptResponses } from './attempt.schema.ts';
import { getAttempt, listWebhookAttempts, loadTest, recordTest, startTest } from './attempt.service.ts';
import type { WebhookEngine } from './delivery.engine.ts';
import { cancelWebhookReplay, replayWebhook } from './replay.service.ts';
import {
  webhookCreate,
  webhookQuery,
  webhookReplay,
  webhookResponses,
  webhookUpdate,
} from './webhook.schema.ts';
import * as service from './webhook.service.ts';
import { webhookUrlProblem } from './webhook.url.ts';

const access = {
  write: needs('admin'),
  /** A webhook receives every event, and an attempt shows one: with them, a key reads what `events:read` protects. */
  secret: needs('admin', { also: ['events:read'] }),
};
const route = routesOf(access.write);
const withEvents = routesOf(access.secret);

const params = { id: service.webhookId.schema };

/** What routes need of the delivery. */
export type WebhookControl = Pick<WebhookEngine, 'rules' | 'send' | 'post'>;

interface WebhookRouteOptions {
  readonly encryptor: Encryptor;
  readonly webhooks: WebhookControl;
}

export const webhookRoutes = (storage: Storage, { encryptor, webhooks }: WebhookRouteOptions) => {
  /** A body whose URL the operator allows. */
  const withAllowedUrl = <T extends { url?: string | undefined }>(body: v.ObjectReader<T>) => ({
    ...body,
    read: (value: Parameters<typeof body.read>[0]): T => {
      const fields = body.read(value);
      const message = fields.url === undefined ? undefined : webhookUrlProblem(fields.url, webhooks.rules);
      if (message) throw invalidField('url', message);
      return fields;
    },
  });
  const newSecret = async (id: string) => {
    const secret = newWebhookSecret();
    const { check, encrypt } = await encryptor.current();
    return { secret, stored: { secret_sealed: encrypt(secret, id), check } };
  };
  return {
    'GET /v1/webhooks': route({
      run: service.listWebhooks,
      summary: 'List webhooks',
      description: 'Newest first.',
      query: webhookQuery,
      data: webhookResponses.webhook,
      list: true,
    }),

    'GET /v1/webhooks/:id': route({
      run: service.getWebhook,
      etag: service.webhookWithEtag,
      summary: 'Get a webhook',
      data: webhookResponses.webhook,
      hasEtag: true,
    }),

    'PATCH /v1/webhooks/:id': withEvents({
      run: service.updateWebhook,
      etag: service.webhookWithEtag,
      summary: 'Update a webhook',
      description:
        'With the status `active`, a webhook that was disabled or paused is sent all events since then, and waiting deliveries are tried again.',
      body: withAllowedUrl(webhookUpdate),
      data: webhookResponses.webhook,
      hasEtag: true,
    }),

    'DELETE /v1/webhooks/:id': route({
      run: service.deleteWebhook,
      summary: 'Delete a webhook',
      description: 'Its deliveries and attempts are deleted too.',
      hasEtag: true,
    }),

    ...secretRoutes(storage, '/v1/webhooks', {
      record: 'a webhook',
      id: service.webhookId,
      access,
      data: { record: webhookResponses.webhook, created: webhookResponses.created },
      newSecret,
      create: service.createWebhook,
      creation: {
        description:
          'Events from now on are sent to the URL, signed as Standard Webhooks. The secret is shown only once. A workspace can have 100 webhooks.',
        body: withAllowedUrl(webhookCreate),
        errors: ['NOT_FOUND', 'CONFLICT'],
      },
      etag: service.webhookWithEtag,
      rotate: service.rotateWebhookSecret,
      revoke: service.revokeOldWebhookSecret,
    }),

    'GET /v1/webhooks/:id/attempts': route({
      run: listWebhookAttempts,
      summary: 'List the attempts of a webhook',
      description: 'Newest first. Send the number of the last attempt as `before` to get the next page.',
      query: attemptQuery,
      data: attemptResponses.page,
    }),

    'GET /v1/webhooks/:id/attempts/:attempt': withEvents({
      run: getAttempt,
      summary: 'Get an attempt of a webhook',
      description: 'With the request and the first KB of the response.',
      params: {
        ...params,
        attempt: { pattern: '^[0-9]{1,15}$', description: 'The number of the attempt.' },
      },
      data: attemptResponses.details,
    }),

    'POST /v1/webhooks/:id/test': withEvents({
      operationId: 'testWebhook',
      summary: 'Send a test event to a webhook',
      description:
        'Sends an event of the type `webhook.test` once, now, and returns the attempt. It is also sent if the webhook is paused or disabled, and is not in the feed.',
      status: 200,
      data: attemptResponses.details,
      handle: async ({ principal, params: { id } }) => {
        const { at } = await storage.run(startTest, principal, { id });
        const { target, event } = await storage.run(loadTest, principal, { id, at });
        const { attempt } = await webhooks.send(target, event, { number: 1, at: new Date(at) });
        const number = await storage.run(recordTest, principal, { id, attempt });
        return ok(storage.run(getAttempt, principal, { id, attempt: `${number}` }));
      },
    }),

    'POST /v1/webhooks/:id/replay': withEvents({
      run: replayWebhook,
      summary: 'Send events to a webhook again',
      description:
        'Send one of `event_id`, `since` (with an optional `until`) and `failed`. A range and failed events are sent in the background; only one of them can run at a time.',
      body: webhookReplay,
      status: 200,
      data: webhookResponses.replay,
      errors: ['CONFLICT'],
    }),

    'DELETE /v1/webhooks/:id/replay': route({
      run: cancelWebhookReplay,
      summary: 'Cancel the replay of a webhook',
      description: 'Events that the replay has reached are still sent.',
      data: webhookResponses.webhook,
    }),
  };
};
