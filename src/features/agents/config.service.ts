import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { canonicalHash } from '../../lib/canonical-json.ts';
import { timestampAfter } from '../../lib/clock.ts';
import { invalid, notFound, type Problem, unavailable } from '../../lib/errors.ts';
import { assertIfMatch, type IfMatch, type JsonWithEtag, shortHash } from '../../lib/etag.ts';
import type { SentJson } from '../../lib/json.ts';
import { mismatches, schemaProblems } from '../../lib/json-schema.ts';
import { change } from '../../records/change.ts';
import type { Principal } from '../workspaces/principal.ts';
import { agentSnapshot } from './agent.events.ts';
import { addDraft, lockAgent, parseAgentId, unknownBase } from './agent.service.ts';
import * as store from './agent.store.ts';
import { credentialsIn } from './config.credentials.ts';
import type { VersionCreate } from './config.schema.ts';
import { findVersion } from './version.find.ts';
import { findNewestVersion } from './version.store.ts';

const assertNone = (problems: Problem[]): void => {
  if (problems.length > 0) throw invalid(problems);
};

const readSchema = async (db: Db, workspace: number, id: string): Promise<string | null> => {
  const found = await db.get(store.findConfigSchema, { workspace, id });
  if (!found) throw notFound('agent');
  return found.config_schema;
};

const findConfigSchema = read('findConfigSchema', (db, { workspace }: Principal, { id }: { id: string }) =>
  readSchema(db, workspace, parseAgentId(id)),
);

interface NewVersion extends Omit<VersionCreate, 'config'> {
  id: string;
  match?: IfMatch | undefined;
  config?: Pick<store.VersionRow, 'config' | 'config_sha256'>;
  /** The schema that the configuration was checked against. */
  schema?: string | null;
}

const insertVersion = write(
  'createVersion',
  async (
    db,
    principal: Principal,
    { id, match, instructions, config, note = null, based_on, schema }: NewVersion,
  ) => {
    const { workspace } = principal;
    const before = await lockAgent(db, principal, id, match);
    const agent = before.id;
    if (config && (await readSchema(db, workspace, agent)) !== schema)
      throw unavailable('The config schema of this agent was changed meanwhile. Retry in 1 second.');
    const base =
      based_on === undefined
        ? await db.get(findNewestVersion, { workspace, agent })
        : await findVersion(db, workspace, { agent, version: based_on });
    if (!base) throw unknownBase();
    const facts = { ...before, updated_at: timestampAfter(before.updated_at) };
    await db.run(
      store.updateAgentRow,
      store.rowOf(facts, await db.get(store.findDeployed, { workspace, id: agent })),
    );
    const event = { ...agentSnapshot(facts), changed: ['versions'] };
    // The entry of the version is enough.
    change(db, principal, { action: 'agent.updated', subject: agent, fields: [], isAudited: false, event });
    const row = await addDraft(db, principal, {
      agent,
      instructions: instructions ?? base.instructions,
      basedOn: base.id,
      at: facts.updated_at,
      config: config ? config.config : base.config,
      config_sha256: config ? config.config_sha256 : base.config_sha256,
      note,
    });
    // Without the texts, which a key that may only write must not read.
    return { ...store.versionSummary(row), note, config_sha256: store.configHashOf(row) };
  },
);

/** Adds a draft. The configuration is checked before the transaction, because a schema can take long. */
export const createVersion = async (
  storage: Storage,
  principal: Principal,
  { config, ...input }: VersionCreate & Pick<NewVersion, 'id' | 'match'>,
) => {
  if (!config) return storage.run(insertVersion, principal, input);
  const { text, value } = config;
  assertNone(credentialsIn(value, 'config'));
  const schema = await storage.run(findConfigSchema, principal, input);
  if (schema !== null) assertNone(mismatches(value, JSON.parse(schema), 'config'));
  const checked = { config: text, config_sha256: canonicalHash(value) };
  return storage.run(insertVersion, principal, { ...input, config: checked, schema });
};

const shown = (schema: string | null): JsonWithEtag => ({
  json: `{"schema":${schema}}`,
  etag: `"${shortHash(String(schema))}"`,
});

export const getConfigSchema = read(
  'getConfigSchema',
  async (db, { workspace }: Principal, { id }: { id: string }): Promise<JsonWithEtag> =>
    shown(await readSchema(db, workspace, parseAgentId(id))),
);

const setSchema = async (
  db: Db,
  principal: Principal,
  { id, schema, match }: { id: string; schema: string | null; match?: IfMatch | undefined },
): Promise<JsonWithEtag> => {
  const { workspace } = principal;
  const agent = await lockAgent(db, principal, id);
  const before = await readSchema(db, workspace, agent.id);
  assertIfMatch('config schema', shown(before).etag, match);
  if (before === schema) return shown(schema);
  const facts = { ...agent, updated_at: timestampAfter(agent.updated_at) };
  await db.run(
    store.updateAgentRow,
    store.rowOf(facts, await db.get(store.findDeployed, { workspace, id: agent.id })),
  );
  await db.run(store.setConfigSchema, { workspace_id: workspace, id: agent.id, config_schema: schema });
  const changed = ['config_schema'];
  const event = { ...agentSnapshot(facts), changed };
  change(db, principal, { action: 'agent.updated', subject: agent.id, fields: changed, event });
  return shown(schema);
};

/** Sets the schema of later configurations. Versions that exist stay, and can be deployed. */
export const replaceConfigSchema = write(
  'replaceConfigSchema',
  (db, principal: Principal, { schema, ...input }: { id: string; schema: SentJson; match?: IfMatch }) => {
    assertNone([...schemaProblems(schema.value, 'schema'), ...credentialsIn(schema.value, 'schema')]);
    return setSchema(db, principal, { ...input, schema: schema.text });
  },
);

export const deleteConfigSchema = write(
  'deleteConfigSchema',
  async (db, principal: Principal, input: { id: string; match?: IfMatch }): Promise<void> => {
    await setSchema(db, principal, { ...input, schema: null });
  },
);
