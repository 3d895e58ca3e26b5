import * as rules from './rules.ts';

type Fields = Record<string, unknown>;

/** The expected response. `data` contains only what is known beforehand; run.ts checks the rest. */
export type Expected =
  | { status: 200 | 201; data: unknown; pagination?: unknown }
  | { status: 400; fields: string[] }
  | { status: 404 }
  | { status: 409; existing: string };

export interface ModelContact extends rules.Findable {
  id: string;
  company: string | null;
  notes: string | null;
  tags: string[];
  source: 'api';
  first_contact_at: string;
  last_contact_at: string;
  created_at: string;
  updated_at: string;
}

export interface ModelAgent {
  id: string;
  name: string;
  description: string | null;
  created_at: string;
  updated_at: string;
}

export interface ModelVersion {
  id: string;
  version_label: string;
  deployment_status: 'draft';
  created_at: string;
}

const PROFILE = ['first_name', 'last_name', 'display_name', 'email', 'company', 'notes'] as const;
const deleted = { status: 200, data: { deleted: true } } as const;

const page = <T>(found: readonly T[], query: Record<string, string>): Expected => {
  const fields = rules.windowProblems(query);
  if (fields.length > 0) return { status: 400, fields };
  const limit = Number(query.limit ?? 20);
  const offset = Number(query.offset ?? 0);
  const newest = found.toReversed();
  const pagination = { total: found.length, limit, offset, has_more: offset + limit < found.length };
  return { status: 200, data: newest.slice(offset, offset + limit), pagination };
};

/** One workspace, as two arrays in the order of creation. Every method returns the expected response. The `…ed`
 *  methods then add what only the service knows: ids and times. */
export class Model {
  readonly contacts: ModelContact[] = [];
  readonly agents: ModelAgent[] = [];
  readonly versions = new Map<string, ModelVersion[]>();
  /** The number of versions of each agent. `versions` contains those that were read. */
  readonly versionCounts = new Map<string, number>();
  /** The ids of deleted records. */
  readonly deletedIds: string[] = [];

  contact(id: string): ModelContact | undefined {
    return this.contacts.find(
      (contact) => contact.id === id || rules.uuidOf(contact.id) === id.toLowerCase(),
    );
  }

  agent(id: string): ModelAgent | undefined {
    return this.agents.find((agent) => agent.id === id.toLowerCase());
  }

  createContact(body: Fields): Expected {
    const fields = rules.createProblems(body);
    if (fields.length > 0) return { status: 400, fields };
    const existing = this.contacts.find(({ phone_number }) => phone_number === body.phone_number);
    if (existing) return { status: 409, existing: existing.id };
    const profile = Object.fromEntries(PROFILE.map((field) => [field, body[field] ?? null]));
    const tags = [...new Set((body.tags ?? []) as string[])];
    return { status: 201, data: { phone_number: body.phone_number, ...profile, tags, source: 'api' } };
  }

  contactCreated(data: Omit<ModelContact, 'first_contact_at' | 'last_contact_at'>): void {
    this.contacts.push({ ...data, first_contact_at: data.created_at, last_contact_at: data.created_at });
  }

  getContact(id: string): Expected {
    const contact = this.contact(id);
    return contact ? { status: 200, data: { ...contact, crm_ids: {} } } : { status: 404 };
  }

  updateContact(id: string, body: Fields): Expected {
    const fields = rules.updateProblems(body);
    if (fields.length > 0) return { status: 400, fields };
    const contact = this.contact(id);
    if (!contact) return { status: 404 };
    const phone_number = (body.phone_number ?? contact.phone_number) as string;
    if (phone_number !== contact.phone_number) {
      if (!rules.isInternational(phone_number)) return { status: 400, fields: ['phone_number'] };
      const existing = this.contacts.find((other) => other.phone_number === phone_number);
      if (existing) return { status: 409, existing: existing.id };
    }
    const profile = Object.fromEntries(
      PROFILE.map((field) => [field, field in body ? body[field] : contact[field]]),
    );
    const tags = [...new Set((body.tags ?? contact.tags) as string[])];
    const { updated_at: _, ...kept } = contact;
    return { status: 200, data: { ...kept, ...profile, phone_number, tags } };
  }

  contactUpdated(data: ModelContact): void {
    this.contacts[this.contacts.findIndex(({ id }) => id === data.id)] = data;
  }

  deleteContact(id: string): Expected {
    const contact = this.contact(id);
    if (!contact) return { status: 404 };
    this.contacts.splice(this.contacts.indexOf(contact), 1);
    this.deletedIds.push(contact.id);
    return deleted;
  }

  listContacts(query: Record<string, string>): Expected {
    const { search, tag } = query;
    return page(
      this.contacts.filter(
        (contact) => (!tag || contact.tags.includes(tag)) && (!search || rules.isFoundBy(contact, search)),
      ),
      query,
    );
  }

  createAgent(body: Fields): Expected {
    const fields = rules.agentProblems(body, ['name', 'instructions']);
    if (fields.length > 0) return { status: 400, fields };
    return { status: 201, data: { name: body.name, description: body.description ?? null } };
  }

  agentCreated(data: ModelAgent): void {
    this.agents.push(data);
    this.versionCounts.set(data.id, 1);
    this.versions.set(data.id, []);
  }

  #agentOr(id: string, found: (agent: ModelAgent) => Expected): Expected {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return { status: 400, fields: ['id'] };
    const agent = this.agent(id);
    return agent ? found(agent) : { status: 404 };
  }

  getAgent(id: string): Expected {
    return this.#agentOr(id, (agent) => ({
      status: 200,
      data: { ...agent, deployed_version: null, versions: this.versions.get(agent.id) },
    }));
  }

  updateAgent(id: string, body: Fields): Expected {
    const fields = rules.agentProblems(body, []);
    if (fields.length > 0) return { status: 400, fields };
    return this.#agentOr(id, ({ updated_at: _, ...agent }) => ({
      status: 200,
      data: {
        ...agent,
        name: body.name ?? agent.name,
        description: 'description' in body ? body.description : agent.description,
      },
    }));
  }

  agentUpdated(data: ModelAgent, withInstructions: boolean): void {
    this.agents[this.agents.findIndex(({ id }) => id === data.id)] = data;
    if (withInstructions) this.versionCounts.set(data.id, (this.versionCounts.get(data.id) ?? 0) + 1);
  }

  deleteAgent(id: string): Expected {
    return this.#agentOr(id, (agent) => {
      this.agents.splice(this.agents.indexOf(agent), 1);
      this.deletedIds.push(agent.id);
      return deleted;
    });
  }

  listAgents(query: Record<string, string>): Expected {
    return page(
      this.agents.map((agent) => ({ ...agent, deployed_version: null })),
      query,
    );
  }
}
