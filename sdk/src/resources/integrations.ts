import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Body, Data, Item } from '../types.ts';

/** CRMs that write contacts through a webhook. */
export class Integrations extends Resource {
  list(options?: RequestOptions): List<Item<'listIntegrations'>> {
    return this.listWhole_<'listIntegrations'>('/integrations', options);
  }

  get(id: string, options?: RequestOptions): Call<Data<'getIntegration'>> {
    return this.get_<'getIntegration'>(at`/integrations/${id}`, options);
  }

  /** Creates an integration. Only this response contains its `secret`. */
  create(fields: Body<'createIntegration'>, options?: WriteOptions): Call<Data<'createIntegration'>> {
    return this.send_<'createIntegration'>('POST', '/integrations', options, fields);
  }

  /** Renames an integration. */
  update(
    id: string,
    fields: Body<'updateIntegration'>,
    options?: WriteOptions,
  ): Call<Data<'updateIntegration'>> {
    return this.send_<'updateIntegration'>('PATCH', at`/integrations/${id}`, options, fields);
  }

  delete(id: string, options?: RequestOptions): Call<Data<'deleteIntegration'>> {
    return this.delete_(at`/integrations/${id}`, options);
  }

  /** Creates another secret. The old one stays valid for a grace period. */
  rotateSecret(
    id: string,
    fields: Body<'rotateIntegrationSecret'> = {},
    options?: WriteOptions,
  ): Call<Data<'rotateIntegrationSecret'>> {
    return this.send_<'rotateIntegrationSecret'>(
      'POST',
      at`/integrations/${id}/rotate-secret`,
      options,
      fields,
    );
  }

  /** Ends the grace period of the old secret. */
  revokeOldSecret(id: string, options?: RequestOptions): Call<Data<'revokeOldIntegrationSecret'>> {
    return this.send_<'revokeOldIntegrationSecret'>('DELETE', at`/integrations/${id}/old-secret`, options);
  }
}
