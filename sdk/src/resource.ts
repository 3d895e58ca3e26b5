import type { Call, Result } from './call.ts';
import type { Download } from './download.ts';
import { byOffset, List, whole } from './list.ts';
import type { ChangeOptions, RequestOptions } from './options.ts';
import type { Transport } from './transport.ts';
import type { Body, Data, Item, OperationId, Query, Schemas } from './types.ts';

/** The requests of one part of the API. */
export abstract class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  protected get_<O extends OperationId>(
    path: string,
    options?: RequestOptions,
    query?: Query<O>,
  ): Call<Data<O>> {
    return this.transport.call({ method: 'GET', path, query }, options);
  }

  protected list_<O extends OperationId>(
    path: string,
    query?: Query<O>,
    options?: RequestOptions,
  ): List<Item<O>> {
    return new List(this.transport, byOffset, path, query, options);
  }

  /** A list that the service returns in one response. */
  protected listWhole_<O extends OperationId>(path: string, options?: RequestOptions): List<Item<O>> {
    return new List(this.transport, whole, path, {}, options);
  }

  protected send_<O extends OperationId>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options?: ChangeOptions,
    json?: Body<O> | undefined,
    query?: Query<O>,
  ): Call<Data<O>> {
    return this.transport.call({ method, path, json, query }, options);
  }

  protected download_(path: string, options?: RequestOptions, query?: object): Call<Download> {
    return this.transport.call({ method: 'GET', path, query, wants: 'download' }, options);
  }

  protected delete_(path: string, options?: ChangeOptions): Call<Schemas['Deleted']> {
    return this.transport.call({ method: 'DELETE', path, isDeletion: true }, options);
  }

  /** The record, unless its ETag is still the given one. */
  protected async changed_<O extends OperationId>(
    path: string,
    etag: string,
    options?: RequestOptions,
  ): Promise<Result<Data<O>> | undefined> {
    const headers = { 'if-none-match': etag };
    const result = await this.transport.send<Data<O>>({ method: 'GET', path, headers }, options);
    return result.status === 304 ? undefined : result;
  }
}
