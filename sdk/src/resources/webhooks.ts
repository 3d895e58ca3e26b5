import type { Call, Result } from '../call.ts';
import { List, within } from '../list.ts';
import type { ChangeOptions, RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Body, Data, Item, Query } from '../types.ts';

type Attempt = Data<'listWebhookAttempts'>['attempts'][number];
type Position = Omit<Data<'listWebhookAttempts'>, 'attempts'>;

const attempts = within<Attempt, Position>(
  'attempts',
  ({ has_more }, last) => has_more && last !== undefined && { before: last.number },
);

/** URLs that events are sent to. To verify what they receive, use `webhooks` of this package. */
export class Webhooks extends Resource {
  /** Webhooks, newest first. */
  list(query?: Query<'listWebhooks'>, options?: RequestOptions): List<Item<'listWebhooks'>> {
    return this.list_<'listWebhooks'>('/webhooks', query, options);
  }

  get(id: string, options?: RequestOptions): Call<Data<'getWebhook'>> {
    return this.get_<'getWebhook'>(at`/webhooks/${id}`, options);
  }

  /** The webhook, or undefined if its ETag is still the given one. */
  getIfChanged(
    id: string,
    etag: string,
    options?: RequestOptions,
  ): Promise<Result<Data<'getWebhook'>> | undefined> {
    return this.changed_<'getWebhook'>(at`/webhooks/${id}`, etag, options);
  }

  /** Creates a webhook. Only this response contains its `secret`. */
  create(fields: Body<'createWebhook'>, options?: WriteOptions): Call<Data<'createWebhook'>> {
    return this.send_<'createWebhook'>('POST', '/webhooks', options, fields);
  }

  /** Changes a webhook. With the status `active`, it is enabled again. */
  update(id: string, fields: Body<'updateWebhook'>, options?: ChangeOptions): Call<Data<'updateWebhook'>> {
    return this.send_<'updateWebhook'>('PATCH', at`/webhooks/${id}`, options, fields);
  }

  delete(id: string, options?: ChangeOptions): Call<Data<'deleteWebhook'>> {
    return this.delete_(at`/webhooks/${id}`, options);
  }

  /** Creates another secret. Events are signed with both for a grace period. */
  rotateSecret(
    id: string,
    fields: Body<'rotateWebhookSecret'> = {},
    options?: WriteOptions,
  ): Call<Data<'rotateWebhookSecret'>> {
    return this.send_<'rotateWebhookSecret'>('POST', at`/webhooks/${id}/rotate-secret`, options, fields);
  }

  /** Ends the grace period of the old secret. */
  revokeOldSecret(id: string, options?: RequestOptions): Call<Data<'revokeOldWebhookSecret'>> {
    return this.send_<'revokeOldWebhookSecret'>('DELETE', at`/webhooks/${id}/old-secret`, options);
  }

  /** Attempts, newest first. */
  listAttempts(
    id: string,
    query?: Query<'listWebhookAttempts'>,
    options?: RequestOptions,
  ): List<Attempt, Position> {
    return new List(this.transport, attempts, at`/webhooks/${id}/attempts`, query, options);
  }

  /** An attempt with its request and its response. */
  getAttempt(id: string, number: number, options?: RequestOptions): Call<Data<'getWebhookAttempt'>> {
    return this.get_<'getWebhookAttempt'>(at`/webhooks/${id}/attempts/${String(number)}`, options);
  }

  /** Sends a test event now and returns the attempt. */
  test(id: string, options?: WriteOptions): Call<Data<'testWebhook'>> {
    return this.send_<'testWebhook'>('POST', at`/webhooks/${id}/test`, options);
  }

  /** Sends one event, a range of time or all failed events again. */
  replay(id: string, fields: Body<'replayWebhook'>, options?: WriteOptions): Call<Data<'replayWebhook'>> {
    return this.send_<'replayWebhook'>('POST', at`/webhooks/${id}/replay`, options, fields);
  }

  cancelReplay(id: string, options?: RequestOptions): Call<Data<'cancelWebhookReplay'>> {
    return this.send_<'cancelWebhookReplay'>('DELETE', at`/webhooks/${id}/replay`, options);
  }
}
