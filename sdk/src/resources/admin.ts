import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Body, Data, Item, Query } from '../types.ts';

/** API keys. The own key needs the scope `admin`. */
export class Keys extends Resource {
  list(options?: RequestOptions): List<Item<'listApiKeys'>> {
    return this.listWhole_<'listApiKeys'>('/keys', options);
  }

  get(id: string, options?: RequestOptions): Call<Data<'getApiKey'>> {
    return this.get_<'getApiKey'>(at`/keys/${id}`, options);
  }

  /** Creates an API key with scopes that the own key has. Only this response contains the `key`. */
  create(fields: Body<'createApiKey'>, options?: WriteOptions): Call<Data<'createApiKey'>> {
    return this.send_<'createApiKey'>('POST', '/keys', options, fields);
  }

  /** Revokes an API key permanently. */
  revoke(id: string, options?: RequestOptions): Call<Data<'revokeApiKey'>> {
    return this.delete_(at`/keys/${id}`, options);
  }
}

/** Users of the dashboard. The key needs the scope `admin`. */
export class Users extends Resource {
  list(options?: RequestOptions): List<Item<'listUsers'>> {
    return this.listWhole_<'listUsers'>('/users', options);
  }

  get(id: string, options?: RequestOptions): Call<Data<'getUser'>> {
    return this.get_<'getUser'>(at`/users/${id}`, options);
  }

  create(fields: Body<'createUser'>, options?: WriteOptions): Call<Data<'createUser'>> {
    return this.send_<'createUser'>('POST', '/users', options, fields);
  }

  update(id: string, fields: Body<'updateUser'>, options?: WriteOptions): Call<Data<'updateUser'>> {
    return this.send_<'updateUser'>('PATCH', at`/users/${id}`, options, fields);
  }

  delete(id: string, options?: RequestOptions): Call<Data<'deleteUser'>> {
    return this.delete_(at`/users/${id}`, options);
  }

  /** Creates a link that signs the user in once. */
  createSignInLink(id: string, options?: WriteOptions): Call<Data<'createSignInLink'>> {
    return this.send_<'createSignInLink'>('POST', at`/users/${id}/link`, options);
  }
}

/** The settings of the workspace. */
export class Settings extends Resource {
  get(options?: RequestOptions): Call<Data<'getSettings'>> {
    return this.get_<'getSettings'>('/settings', options);
  }

  update(fields: Body<'updateSettings'>, options?: WriteOptions): Call<Data<'updateSettings'>> {
    return this.send_<'updateSettings'>('PATCH', '/settings', options, fields);
  }
}

/** Who changed what, and when. */
export class Audit extends Resource {
  /** Audit entries, newest first. */
  list(query?: Query<'listAuditEntries'>, options?: RequestOptions): List<Item<'listAuditEntries'>> {
    return this.list_<'listAuditEntries'>('/audit', query, options);
  }
}
