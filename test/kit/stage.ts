import assert from 'node:assert/strict';
import { signedIn } from './dashboard.ts';
import { type Asker, described } from './described.ts';
import { makeAgent, newPhone } from './factories.ts';
import type { Json, TestService } from './service.ts';

/** An owner of the workspace `default`, signed in, whose answers are held against the dashboard's document. */
export const ownerOf = async (service: TestService): Promise<Asker> =>
  described(service, await signedIn(service));

/** The ids of an agent's versions, oldest first. */
export const versionsOf = async (service: TestService, agent: string): Promise<string[]> => {
  const reply = await service.get(`/v1/agents/${agent}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.data.versions.map(({ id }: Json) => id).reverse();
};

/** An agent with one version for each of the texts; nothing of it is deployed. */
export const makeVersions = async (
  service: TestService,
  ...texts: [string, ...string[]]
): Promise<{ id: string; versions: string[] }> => {
  const [first, ...rest] = texts;
  const { id } = await makeAgent(service, { instructions: first });
  for (const instructions of rest) await service.patch(`/v1/agents/${id}`, { instructions });
  return { id, versions: await versionsOf(service, id) };
};

export const deploy = (owner: Asker, agent: string, version: string, body?: unknown): Promise<Json> =>
  owner.ask('POST', `/agents/${agent}/versions/${version}/deploy`, body);

/** A channel of the kind, with its secret. */
export const makeChannel = (owner: Asker, fields: Json = {}): Promise<Json> =>
  owner.ask('POST', '/channels', { kind: 'phone', name: 'Line', address: newPhone(), ...fields }, 201);

/** A channel whose agent speaks, and both of them. */
export const makeSpeaking = async (service: TestService, owner: Asker, text = 'Words.') => {
  const { id, versions } = await makeVersions(service, text);
  const [version] = versions as [string];
  await deploy(owner, id, version);
  const channel = await makeChannel(owner);
  await owner.ask('PUT', `/channels/${channel.id}/agent`, { agent_id: id });
  return { agent: id, version, channel };
};

/** Every row of some tables, in an order that does not depend on the engine. */
export const rowsOf = async ({ database }: TestService, ...tables: string[]): Promise<Json> => {
  const found: Record<string, string[]> = {};
  for (const table of tables) {
    const rows = await database.query(`select * from ${table}`);
    found[table] = rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();
  }
  return found;
};

/** Calls, once or many times, and makes sure that no row of the tables was written, changed or removed. */
export const leaves = async <T>(
  service: TestService,
  tables: string[],
  calls: () => Promise<T>,
): Promise<T> => {
  const before = await rowsOf(service, ...tables);
  const result = await calls();
  assert.deepEqual(await rowsOf(service, ...tables), before, 'something was written');
  return result;
};
