import type { Json } from './test-service.ts';

type Records = Map<string, Json>;

const KINDS = ['contact', 'agent', 'channel', 'call', 'campaign', 'enrollment'] as const;
export type MirroredKind = (typeof KINDS)[number];

/** Another system's copy of all records, built only from the events of the feed. */
export class EventMirror {
  readonly #records = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as Record<
    MirroredKind,
    Records
  >;
  readonly #ids = new Set<string>();

  apply({ id, type, subject_id: subject, campaign_id, data }: Json): void {
    if (this.#ids.has(id)) throw new Error(`The event ${id} arrived twice.`);
    this.#ids.add(id);
    const [kind, change] = type.split('.') as [MirroredKind | 'version', string];
    if (kind === 'version') this.#addVersion(data);
    else if (change === 'deployed') this.#deploy(subject, data);
    // Each record that a merge changes has events of its own.
    else if (change === 'merged' || change === 'unmerged') return;
    else if (kind in this.#records) {
      const records = this.#records[kind];
      const key = kind === 'enrollment' ? `${campaign_id} ${subject}` : subject;
      if (change === 'deleted') records.delete(key);
      // A snapshot without data was erased: the contact was deleted, which a later event says.
      else if (data !== null) records.set(key, { ...(kind === 'agent' && records.get(key)), ...data });
    }
  }

  #addVersion({ agent_id, instructions, note: _, config: __, config_sha256: ___, ...version }: Json): void {
    const agent = this.#records.agent.get(agent_id);
    const { versions = [], texts = {} } = agent;
    Object.assign(agent, {
      versions: [version, ...versions],
      texts: { ...texts, [version.id]: instructions },
      deployed_version: agent.deployed_version ?? null,
    });
  }

  #deploy(id: string, { version_id, version_label, previous_version_id }: Json): void {
    const agent = this.#records.agent.get(id);
    agent.deployed_version = { id: version_id, version_label, instructions: agent.texts[version_id] };
    const statusOf = ({ id, deployment_status }: Json): string =>
      id === version_id ? 'deployed' : id === previous_version_id ? 'archived' : deployment_status;
    agent.versions = agent.versions.map((each: Json) => ({ ...each, deployment_status: statusOf(each) }));
  }

  /** The records of a kind in the order of their keys, with what the mirror can know of each. */
  all(kind: MirroredKind): Json[] {
    return [...this.#records[kind].values()].map((record) => comparable(kind, record)).sort(byKey);
  }
}

const byKey = (one: Json, other: Json): number => (keyOf(one) < keyOf(other) ? -1 : 1);
const keyOf = ({ id, campaign_id, contact_id }: Json): string => id ?? `${campaign_id} ${contact_id}`;

/** Without names and counts of other records, which have events of their own. A deploy changes `updated_at` of the agent, but
 *  its event is about the deploy. */
const comparable = (kind: MirroredKind, record: Json): Json => {
  if (kind === 'agent') {
    const { updated_at: _, texts: __, ...agent } = record;
    return agent;
  }
  if (kind === 'channel') return { ...record, agent: record.agent?.id ?? null };
  if (kind === 'campaign') {
    const { enrolled: _, ...campaign } = record;
    return { ...campaign, agent: record.agent.id };
  }
  if (kind === 'call') {
    const {
      channel_name: _,
      channel_kind: __,
      contact_name: ___,
      agent_name,
      agent_deleted,
      ...call
    } = record;
    return call;
  }
  if (kind === 'enrollment') {
    const { campaign_name, campaign_status, contact_name, contact_phone_number, variables, ...enrollment } =
      record;
    return enrollment;
  }
  return record;
};

/** Records that the API returned, to compare them with a mirror. */
export const comparableRecords = (kind: MirroredKind, records: readonly Json[]): Json[] =>
  records.map((record) => comparable(kind, record)).sort(byKey);
