import type { Call, Result } from '../call.ts';
import type { List } from '../list.ts';
import type { ChangeOptions, RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Body, Data, Item, Query } from '../types.ts';

export class Agents extends Resource {
  /** Agents, newest first. */
  list(query?: Query<'listAgents'>, options?: RequestOptions): List<Item<'listAgents'>> {
    return this.list_<'listAgents'>('/agents', query, options);
  }

  /** An agent with its deployed version and a summary of every version. */
  get(id: string, options?: RequestOptions): Call<Data<'getAgent'>> {
    return this.get_<'getAgent'>(at`/agents/${id}`, options);
  }

  /** The agent, or undefined if its ETag is still the given one. */
  getIfChanged(
    id: string,
    etag: string,
    options?: RequestOptions,
  ): Promise<Result<Data<'getAgent'>> | undefined> {
    return this.changed_<'getAgent'>(at`/agents/${id}`, etag, options);
  }

  /** Creates an agent. Its instructions become the draft `v1`. */
  create(fields: Body<'createAgent'>, options?: WriteOptions): Call<Data<'createAgent'>> {
    return this.send_<'createAgent'>('POST', '/agents', options, fields);
  }

  /** Changes the given fields. Instructions become a new draft. */
  update(id: string, fields: Body<'updateAgent'>, options?: ChangeOptions): Call<Data<'updateAgent'>> {
    return this.send_<'updateAgent'>('PATCH', at`/agents/${id}`, options, fields);
  }

  /** Creates an agent with the text of another one as its draft `v1`. Nothing of the copy is deployed or connected. */
  duplicate(
    id: string,
    fields: Body<'duplicateAgent'> = {},
    options?: WriteOptions,
  ): Call<Data<'duplicateAgent'>> {
    return this.send_<'duplicateAgent'>('POST', at`/agents/${id}/duplicate`, options, fields);
  }

  /** Deletes an agent, disconnects its channels and pauses its campaigns. */
  delete(id: string, options?: ChangeOptions): Call<Data<'deleteAgent'>> {
    return this.delete_(at`/agents/${id}`, options);
  }

  /** The variables of its instructions that only enrollments and runtimes provide. */
  getVariables(id: string, options?: RequestOptions): Call<Data<'getAgentVariables'>> {
    return this.get_<'getAgentVariables'>(at`/agents/${id}/variables`, options);
  }

  /** Replaces all variables that an agent declares. */
  replaceVariables(
    id: string,
    fields: Body<'replaceAgentVariables'>,
    options?: ChangeOptions,
  ): Call<Data<'replaceAgentVariables'>> {
    return this.send_<'replaceAgentVariables'>('PUT', at`/agents/${id}/variables`, options, fields);
  }

  /** Versions of an agent, newest first, with their last deploy. */
  listVersions(
    id: string,
    query?: Query<'listVersions'>,
    options?: RequestOptions,
  ): List<Item<'listVersions'>> {
    return this.list_<'listVersions'>(at`/agents/${id}/versions`, query, options);
  }

  /** Creates a draft version. Instructions and config that are left out are those of `based_on`, by default the newest version. */
  createVersion(
    id: string,
    fields: Body<'createVersion'> = {},
    options?: ChangeOptions,
  ): Call<Data<'createVersion'>> {
    return this.send_<'createVersion'>('POST', at`/agents/${id}/versions`, options, fields);
  }

  /** The JSON Schema of the config of new versions; null if there is none. */
  getConfigSchema(id: string, options?: RequestOptions): Call<Data<'getConfigSchema'>> {
    return this.get_<'getConfigSchema'>(at`/agents/${id}/config-schema`, options);
  }

  /** Replaces the JSON Schema that the config of new versions must match. */
  replaceConfigSchema(
    id: string,
    fields: Body<'replaceConfigSchema'>,
    options?: ChangeOptions,
  ): Call<Data<'replaceConfigSchema'>> {
    return this.send_<'replaceConfigSchema'>('PUT', at`/agents/${id}/config-schema`, options, fields);
  }

  /** Deletes the JSON Schema. */
  deleteConfigSchema(id: string, options?: ChangeOptions): Call<Data<'deleteConfigSchema'>> {
    return this.delete_(at`/agents/${id}/config-schema`, options);
  }

  /** A version with its instructions and config; `version` is its id or its label, such as `v3`. */
  getVersion(id: string, version: string, options?: RequestOptions): Call<Data<'getVersion'>> {
    return this.get_<'getVersion'>(at`/agents/${id}/versions/${version}`, options);
  }

  /** The instructions of a version for a contact, with the names that have no value. The key also needs the scope `contacts:read`. */
  render(
    id: string,
    version: string,
    fields: Body<'renderVersion'>,
    options?: RequestOptions,
  ): Call<Data<'renderVersion'>> {
    return this.send_<'renderVersion'>('POST', at`/agents/${id}/versions/${version}/render`, options, fields);
  }

  /** The periods in which a version was live, newest first. */
  listVersionDeploys(
    id: string,
    version: string,
    query?: Query<'listVersionDeploys'>,
    options?: RequestOptions,
  ): List<Item<'listVersionDeploys'>> {
    return this.list_<'listVersionDeploys'>(at`/agents/${id}/versions/${version}/deploys`, query, options);
  }

  /** How the instructions and the config of version `to` differ from those of `from`. */
  compareVersions(
    id: string,
    from: string,
    to: string,
    options?: RequestOptions,
  ): Call<Data<'compareVersions'>> {
    return this.get_<'compareVersions'>(at`/agents/${id}/versions/${to}/diff`, options, { from });
  }

  /** The version that is deployed, or was at a time (`at`); null if none was. */
  activeVersion(
    id: string,
    query?: Query<'getActiveVersion'>,
    options?: RequestOptions,
  ): Call<Data<'getActiveVersion'>> {
    return this.get_<'getActiveVersion'>(at`/agents/${id}/active`, options, query);
  }

  /** What a deploy of this version would change: channels, campaigns and the text. */
  previewDeploy(id: string, version: string, options?: RequestOptions): Call<Data<'previewDeploy'>> {
    return this.get_<'previewDeploy'>(at`/agents/${id}/versions/${version}/impact`, options);
  }

  /** Makes a version the live one. The key needs the scope `agents:deploy`. */
  deploy(
    id: string,
    version: string,
    fields: Body<'deployVersion'> = {},
    options?: WriteOptions,
  ): Call<Data<'deployVersion'>> {
    return this.send_<'deployVersion'>('POST', at`/agents/${id}/versions/${version}/deploy`, options, fields);
  }

  /** Deploys the version that was deployed before the current one. The key needs the scope `agents:deploy`. */
  rollBack(
    id: string,
    fields: Body<'rollBackAgent'> = {},
    options?: WriteOptions,
  ): Call<Data<'rollBackAgent'>> {
    return this.send_<'rollBackAgent'>('POST', at`/agents/${id}/rollback`, options, fields);
  }

  /** Deploys of an agent, newest first. */
  listDeploys(
    id: string,
    query?: Query<'listAgentDeploys'>,
    options?: RequestOptions,
  ): List<Item<'listAgentDeploys'>> {
    return this.list_<'listAgentDeploys'>(at`/agents/${id}/deploys`, query, options);
  }

  /** Deploys of all agents, newest first. */
  listAllDeploys(query?: Query<'listDeploys'>, options?: RequestOptions): List<Item<'listDeploys'>> {
    return this.list_<'listDeploys'>('/deploys', query, options);
  }
}
