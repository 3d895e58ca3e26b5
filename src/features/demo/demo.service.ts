import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { type JobHandlers, startRunner } from '../../jobs/runner.ts';
import { canonicalHash } from '../../lib/canonical-json.ts';
import { type CurrentKey, digest } from '../../lib/encryption.ts';
import { SentJson } from '../../lib/json.ts';
import { createLog } from '../../lib/log.ts';
import { COMMAND_LINE } from '../../records/change.ts';
import { createAgent } from '../agents/agent.service.ts';
import { createVersion } from '../agents/config.service.ts';
import { deployVersion } from '../agents/deploy.service.ts';
import { recordCall } from '../calls/call.report.ts';
import { replaceCallSettings } from '../calls/call-settings.service.ts';
import { replaceTranscript } from '../calls/transcript.service.ts';
import type { EnrollmentUpdate } from '../campaigns/campaign.schema.ts';
import { createCampaign, updateCampaign } from '../campaigns/campaign.service.ts';
import { enrollContacts, updateEnrollment } from '../campaigns/enrollment.service.ts';
import { channelId, connectAgent, createChannel } from '../channels/channel.service.ts';
import type { ContactCreate } from '../contacts/contact.schema.ts';
import { createContact } from '../contacts/contact.service.ts';
import { getHomeFigures } from '../figures/figures.service.ts';
import { startApply } from '../imports/apply.service.ts';
import { planFile } from '../imports/plan-file.ts';
import { watchImport } from '../imports/progress.ts';
import { createIntegration, integrationId, receiveContact } from '../integrations/integration.service.ts';
import { NO_PASSWORD } from '../workspaces/password.ts';
import type { Principal } from '../workspaces/principal.ts';
import { addUser, deleteUser, type User } from '../workspaces/user.service.ts';
import { createWorkspace } from '../workspaces/workspace.service.ts';
import { createDice, type Dice } from './dice.ts';
import { fairFile, LEGACY } from './files.ts';
import { callSettings, lines, sampleCalls, sampleTurns } from './history.ts';
import { createNumbers, createPeople } from './people.ts';
import { markSample } from './remove.service.ts';
import { colleagues, stories } from './stories.ts';

export const DEMO_WORKSPACE = 'demo';

const createSample = write('createSample', async (db): Promise<number> => {
  const { id } = await createWorkspace(db, null, { name: DEMO_WORKSPACE, country: 'US' });
  await db.run(markSample, { workspace: id });
  return id;
});

/** A random secret that is not shown, so that it cannot be used. */
const unknownSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const sent = (value: object) => new SentJson(JSON.stringify(value, null, 2), value);

/** Creates agents with their versions, and deploys them in order. Returns the ids. */
const addAgents = async (storage: Storage, users: readonly Principal[]): Promise<string[]> => {
  const [principal] = users as [Principal];
  const ids: string[] = [];
  for (const { name, description, paragraphs, config, deploys } of stories) {
    let [instructions, ...later]: readonly string[] = paragraphs;
    const first = sent(config(1));
    const bundle = { config: first.text, config_sha256: canonicalHash(first.value) };
    const { id } = await storage.run(createAgent, principal, { name, description, instructions, ...bundle });
    for (const [at, paragraph] of later.entries()) {
      instructions += `\n\n${paragraph}`;
      const version = { instructions, config: sent(config(at + 2)), based_on: `v${at + 1}` };
      await createVersion(storage, principal, { id, ...version });
    }
    for (const [version, by, note] of deploys)
      await storage.run(deployVersion, users[by] as Principal, { agent: id, version: `v${version}`, note });
    ids.push(id);
  }
  return ids;
};

const addChannels = async (
  storage: Storage,
  principal: Principal,
  { key, agents }: { key: CurrentKey; agents: readonly string[] },
): Promise<string[]> => {
  const ids: string[] = [];
  for (const { kind, name, address, agent } of lines) {
    const [id, secret] = [channelId.create(), unknownSecret()];
    const sealed = { secret_sealed: key.encrypt(secret, id), token_sealed: null };
    const secrets = { secret_hash: digest(secret), ...sealed };
    await storage.run(createChannel, principal, { id, kind, name, address, ...secrets, check: key.check });
    const connected = agent === null ? undefined : agents[agent];
    if (connected) await storage.run(connectAgent, principal, { id, agent: connected });
    ids.push(id);
  }
  return ids;
};

/** Campaigns with the number of their contacts, and how often each state is. */
const CAMPAIGNS = [
  { name: 'Grinder check-up', agent: 2, statuses: ['active', 'finished'], contacts: 48, states: { completed: 41, failed: 7 } },
  { name: 'New season tasting', agent: 2, statuses: ['active'], contacts: 140, states: { pending: 44, in_progress: 8, completed: 38, failed: 10 } },
  { name: 'Repair plan renewal', agent: 1, statuses: ['active', 'paused'], contacts: 26, states: { pending: 70, completed: 25, failed: 5 } },
  { name: 'Office starter boxes', agent: 0, statuses: [], contacts: 0, states: {} },
] as const; // biome-ignore format: a table

const addCampaigns = async (
  storage: Storage,
  principal: Principal,
  { dice, agents, contacts }: { dice: Dice; agents: readonly string[]; contacts: readonly string[] },
): Promise<void> => {
  for (const { name, agent, statuses, contacts: count, states } of CAMPAIGNS) {
    const agent_id = agents[agent] ?? '';
    const { id } = await storage.run(createCampaign, principal, { name, agent_id });
    const ids = contacts.toSorted(() => dice.roll() - 0.5).slice(0, count);
    if (count > 0) await storage.run(enrollContacts, principal, { campaign: id, ids });
    const [first, ...later] = statuses;
    if (first) await storage.run(updateCampaign, principal, { id, status: first });
    const reports = ids
      .map((contact) => ({
        id,
        contact,
        status: dice.weighted<NonNullable<EnrollmentUpdate['status']>>(states),
      }))
      .filter(({ status }) => status !== 'pending');
    await Promise.all(reports.map((report) => storage.run(updateEnrollment, principal, report)));
    for (const status of later) await storage.run(updateCampaign, principal, { id, status });
  }
};

/** Imports a file through the usual path. A service on the same database may run some of the steps. */
const importFile = async (storage: Storage, principal: Principal, text: string, handlers: JobHandlers) => {
  const log = createLog({ level: 'error', pretty: true, write: (line) => process.stderr.write(line) });
  const runner = startRunner(storage, handlers, log);
  const file = { name: 'trade-fair.csv', bytes: Readable.from([Buffer.from(text)]) };
  const id = await planFile(storage, principal, { ...file, options: { country: 'US', legacy: true } });
  await storage.run(startApply, principal, { id });
  for await (const _ of watchImport(storage, principal, id));
  await runner.stop();
};

/** How many of the last calls and messages have a transcript. */
const TRANSCRIPTS = 4;

const COUNTS = { api: 255, manual: 70, webhook: 60, strangers: 75 };

/** Creates the workspace of sample data with the operations of the API. Only calls have times in the past. */
export const fillDemo = async (
  storage: Storage,
  key: CurrentKey,
  options: { handlers: JobHandlers; onProgress: (calls: number, total: number) => void },
) => {
  const dice = createDice(1);
  const workspace = await storage.run(createSample, null, null);
  const users: User[] = [];
  for (const user of colleagues) {
    const added = { ...user, passwordHash: NO_PASSWORD };
    users.push(await storage.run(addUser, { workspace, actor: COMMAND_LINE }, added));
  }
  const principals = users.map(({ id }): Principal => ({ workspace, actor: id }));
  const [principal, , leaver] = principals as [Principal, Principal, Principal];
  const agents = await addAgents(storage, principals);
  await storage.run(deleteUser, principal, { id: leaver.actor });
  const channels = await addChannels(storage, principal, { key, agents });
  const hook: Principal = { workspace, actor: integrationId.create() };
  const integration = { id: hook.actor, name: 'Customer database', secret_hash: digest(unknownSecret()) };
  await storage.run(createIntegration, principal, integration);

  const person = createPeople(dice);
  const number = createNumbers(dice, [...lines.map(({ address }) => address), ...LEGACY.flat()]);
  const someone = (): ContactCreate => ({ phone_number: number(), ...person() });
  const people = Array.from({ length: COUNTS.api + COUNTS.manual }, someone);
  const hooked = Array.from({ length: COUNTS.webhook }, someone);
  const strangers = Array.from({ length: COUNTS.strangers }, number);
  const known = [...people, ...hooked].map(({ phone_number }) => phone_number);
  const calls = sampleCalls(dice, Date.now(), { known, strangers });
  const fair = fairFile(person, number, people);

  const written = [
    ...people.map((fields, at) => {
      const source = at < COUNTS.api ? 'api' : 'manual';
      return storage.run(createContact, principal, { source, fields });
    }),
    ...hooked.map((fields) => {
      const crm_ids = { 'customer database': String(dice.between(10_000, 99_999)) };
      return storage.run(receiveContact, hook, { ...fields, crm_ids });
    }),
  ];
  const contacts = (await Promise.all(written)).map(({ id }) => id);
  await storage.run(replaceCallSettings, principal, callSettings);
  for (const [at, { line, event }] of calls.entries()) {
    const channel = channels[line] as string;
    const { id } = await storage.run(recordCall, { workspace, actor: channel }, { channel, event });
    if (at >= calls.length - TRANSCRIPTS && event.type === 'call')
      await storage.run(replaceTranscript, principal, { id, turns: sampleTurns });
    options.onProgress(at + 1, calls.length);
  }
  await addCampaigns(storage, principal, { dice, agents, contacts });
  await importFile(storage, principal, fair, options.handlers);
  const [user] = users as [User];
  return { principal, user, ...(await storage.run(getHomeFigures, principal, { days: 1 })) };
};

export type DemoSummary = Awaited<ReturnType<typeof fillDemo>>;
