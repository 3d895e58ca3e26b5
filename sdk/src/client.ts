import type { Call } from './call.ts';
import type { ChangeOptions, RosterOptions } from './options.ts';
import { Audit, Keys, Settings, Users } from './resources/admin.ts';
import { Agents } from './resources/agents.ts';
import { BulkJobs } from './resources/bulk-jobs.ts';
import { Calls } from './resources/calls.ts';
import { Campaigns } from './resources/campaigns.ts';
import { Channels } from './resources/channels.ts';
import { Contacts } from './resources/contacts.ts';
import { Duplicates } from './resources/duplicates.ts';
import { Events } from './resources/events.ts';
import { Fields } from './resources/fields.ts';
import { Identities } from './resources/identities.ts';
import { Imports } from './resources/imports.ts';
import { Integrations } from './resources/integrations.ts';
import { Merges } from './resources/merges.ts';
import { Segments } from './resources/segments.ts';
import { Webhooks } from './resources/webhooks.ts';
import { environment, Transport } from './transport.ts';

/** A client for the API of one workspace. It has no state of its own, so a program needs only one. */
export class Roster {
  readonly contacts: Contacts;
  readonly segments: Segments;
  readonly identities: Identities;
  readonly merges: Merges;
  readonly bulkJobs: BulkJobs;
  readonly duplicates: Duplicates;
  readonly agents: Agents;
  readonly channels: Channels;
  readonly calls: Calls;
  readonly campaigns: Campaigns;
  readonly imports: Imports;
  readonly events: Events;
  readonly fields: Fields;
  readonly integrations: Integrations;
  readonly webhooks: Webhooks;
  readonly keys: Keys;
  readonly users: Users;
  readonly settings: Settings;
  readonly audit: Audit;
  readonly #transport: Transport;

  constructor(options: RosterOptions = {}) {
    const apiKey = options.apiKey ?? environment('ROSTER_KEY');
    if (!apiKey) throw new TypeError('Set apiKey, or ROSTER_KEY in the environment.');
    const transport = new Transport(options, '/v1', { authorization: `Bearer ${apiKey}` });
    this.#transport = transport;
    this.contacts = new Contacts(transport);
    this.segments = new Segments(transport);
    this.identities = new Identities(transport);
    this.merges = new Merges(transport);
    this.bulkJobs = new BulkJobs(transport);
    this.duplicates = new Duplicates(transport);
    this.agents = new Agents(transport);
    this.channels = new Channels(transport);
    this.calls = new Calls(transport);
    this.campaigns = new Campaigns(transport);
    this.imports = new Imports(transport);
    this.events = new Events(transport);
    this.fields = new Fields(transport);
    this.integrations = new Integrations(transport);
    this.webhooks = new Webhooks(transport);
    this.keys = new Keys(transport);
    this.users = new Users(transport);
    this.settings = new Settings(transport);
    this.audit = new Audit(transport);
  }

  /** Sends a request that has no method of its own; `path` is below `/v1`. */
  request<T = unknown>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    { query, body, ...options }: ChangeOptions & { readonly query?: object; readonly body?: unknown } = {},
  ): Call<T> {
    return this.#transport.call({ method, path, query, json: body }, options);
  }
}
