import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { canonicalHash } from '../../lib/canonical-json.ts';
import { existing, invalid, MAX_PROBLEMS, type Problem, unavailable } from '../../lib/errors.ts';
import { assertIfMatch, type IfMatch, type JsonWithEtag, shortHash } from '../../lib/etag.ts';
import type { SentJson } from '../../lib/json.ts';
import { mismatches, schemaProblems } from '../../lib/json-schema.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import { addDraft, baseOf, lockAgent, parseAgentId, saveAgent } from './agent.service.ts';
import * as store from './agent.store.ts';
import { credentialsIn } from './config.credentials.ts';
import type { VersionCreate } from './config.schema.ts';

const assertNone = (problems: Problem[]): void => {
  if (problems.length > 0) throw invalid(problems.slice(0, MAX_PROBLEMS));
};

const findConfigSchema = read(
  'findConfigSchema',
  async (db, { workspace }: Principal, { id }: { id: string }): Promise<string | null> =>
    existing('agent', await db.get(store.findDeclared, { workspace, id: parseAgentId(id) })).config_schema,
);

interface NewVersion extends Omit<VersionCreate, 'config'> {
  id: string;
  match?: IfMatch | undefined;
  config?: Pick<store.VersionText, 'config' | 'config_sha256'>;
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
    const before = await lockAgent(db, principal, id, match);
    const agent = before.id;
    if (config && before.config_schema !== schema)
      throw unavailable('The config schema of this agent was changed meanwhile. Retry in 1 second.');
    const base = await baseOf(db, principal, { agent, version: based_on });
    const facts = await saveAgent(db, principal, before, {}, { fields: [], hasNewVersion: true });
    const row = await addDraft(db, principal, {
      agent,
      instructions: instructions ?? base.instructions,
      basedOn: base.id,
      at: facts.updated_at,
      config: base.config,
      config_sha256: base.config_sha256,
      ...config,
      note,
    });
    // Without the texts, which a key that may only write must not read.
    return { ...store.versionSummary(row), note, config_sha256: row.config_sha256 };
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
  const showsSchema = !isKeyWithout(principal, 'agents:read');
  if (schema !== null) assertNone(mismatches(value, JSON.parse(schema), 'config', { showsSchema }));
  const checked = { config: text, config_sha256: canonicalHash(value) };
  return storage.run(insertVersion, principal, { ...input, config: checked, schema });
};

const shown = (schema: string | null): JsonWithEtag => ({
  json: `{"schema":${schema}}`,
  etag: `"${shortHash(String(schema))}"`,
});

export const getConfigSchema = read(
  'getConfigSchema',
  async (db, principal: Principal, input: { id: string }): Promise<JsonWithEtag> =>
    shown(await findConfigSchema(db, principal, input)),
);

const setSchema = async (
  db: Db,
  principal: Principal,
  { id, schema, match }: { id: string; schema: string | null; match?: IfMatch | undefined },
): Promise<JsonWithEtag> => {
  const agent = await lockAgent(db, principal, id);
  assertIfMatch('config schema', shown(agent.config_schema).etag, match);
  if (agent.config_schema !== schema)
    await saveAgent(db, principal, agent, { config_schema: schema }, { fields: ['config_schema'] });
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
