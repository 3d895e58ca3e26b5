import type { Call, Result } from '../call.ts';
import type { List } from '../list.ts';
import type { ChangeOptions, RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Body, Data, Item, Query } from '../types.ts';

export class Channels extends Resource {
  /** Channels, newest first. */
  list(query?: Query<'listChannels'>, options?: RequestOptions): List<Item<'listChannels'>> {
    return this.list_<'listChannels'>('/channels', query, options);
  }

  get(id: string, options?: RequestOptions): Call<Data<'getChannel'>> {
    return this.get_<'getChannel'>(at`/channels/${id}`, options);
  }

  /** The channel, or undefined if its ETag is still the given one. */
  getIfChanged(
    id: string,
    etag: string,
    options?: RequestOptions,
  ): Promise<Result<Data<'getChannel'>> | undefined> {
    return this.changed_<'getChannel'>(at`/channels/${id}`, etag, options);
  }

  /** Creates a channel. Only this response contains its `secret`. */
  create(fields: Body<'createChannel'>, options?: WriteOptions): Call<Data<'createChannel'>> {
    return this.send_<'createChannel'>('POST', '/channels', options, fields);
  }

  update(id: string, fields: Body<'updateChannel'>, options?: ChangeOptions): Call<Data<'updateChannel'>> {
    return this.send_<'updateChannel'>('PATCH', at`/channels/${id}`, options, fields);
  }

  delete(id: string, options?: ChangeOptions): Call<Data<'deleteChannel'>> {
    return this.delete_(at`/channels/${id}`, options);
  }

  /** Creates another secret. The old one stays valid for a grace period. */
  rotateSecret(
    id: string,
    fields: Body<'rotateChannelSecret'> = {},
    options?: WriteOptions,
  ): Call<Data<'rotateChannelSecret'>> {
    return this.send_<'rotateChannelSecret'>('POST', at`/channels/${id}/rotate-secret`, options, fields);
  }

  /** Ends the grace period of the old secret. */
  revokeOldSecret(id: string, options?: RequestOptions): Call<Data<'revokeOldChannelSecret'>> {
    return this.send_<'revokeOldChannelSecret'>('DELETE', at`/channels/${id}/old-secret`, options);
  }

  /** Connects an agent, which replaces the one that was connected. */
  connect(id: string, fields: Body<'connectAgent'>, options?: WriteOptions): Call<Data<'connectAgent'>> {
    return this.send_<'connectAgent'>('PUT', at`/channels/${id}/agent`, options, fields);
  }

  disconnect(id: string, options?: RequestOptions): Call<Data<'disconnectAgent'>> {
    return this.send_<'disconnectAgent'>('DELETE', at`/channels/${id}/agent`, options);
  }
}
