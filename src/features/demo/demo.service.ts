import { Readable } from 'node:stream';
import { write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { type JobHandlers, startRunner } from '../../jobs/runner.ts';
import { type CurrentKey, digest } from '../../lib/encryption.ts';
import { SentJson } from '../../lib/json.ts';
import { createLog } from '../../lib/log.ts';
import { newWebhookSecret } from '../../lib/webhook-signature.ts';
import { COMMAND_LINE } from '../../records/change.ts';
import { createAgent } from '../agents/agent.service.ts';
import { createVersion } from '../agents/config.service.ts';
import { deployVersion } from '../agents/deploy.service.ts';
import { recordCall } from '../calls/call.report.ts';
import { replaceCallSettings } from '../calls/call-settings.service.ts';
import { replaceTranscript } from '../calls/transcript.service.ts';
import type { EnrollmentUpdate } from '../campaigns/campaign.schema.ts';
import { createCampaign, updateCampaign } from '../campaigns/campaign.service.ts';
import { claimContacts } from '../campaigns/claim.service.ts';
import { enrollContacts, updateEnrollment } from '../campaigns/enrollment.service.ts';
import { channelId, connectAgent, createChannel } from '../channels/channel.service.ts';
import { createContact } from '../contacts/contact.service.ts';
import { getHomeFigures } from '../figures/figures.service.ts';
import { startApply } from '../imports/apply.service.ts';
import { watchImport } from '../imports/lifecycle.service.ts';
import { planFile } from '../imports/plan-file.ts';
import { createIntegration, integrationId, receiveContact } from '../integrations/integration.service.ts';
import { NO_PASSWORD } from '../workspaces/password.ts';
import type { Principal } from '../workspaces/principal.ts';
import { addUser, deleteUser, type User } from '../workspaces/user.service.ts';
import { createWorkspace } from '../workspaces/workspace.service.ts';
import { STRANGERS, sampleCalls } from './history.ts';
import { createNumbers, createPerson, fairFile } from './people.ts';
import { markSample } from './remove.service.ts';
import { callSettings, colleagues, configOf, lines, sampleTurns, stories } from './stories.ts';

export const DEMO_WORKSPACE = 'demo';

/** Creates the workspace, with an owner besides its own users if an email is given. */
export const createSample = write(
  'createSample',
  async (db, _: null, email: string | null): Promise<number> => {
    const { id: workspace } = await createWorkspace(db, null, { name: DEMO_WORKSPACE, country: 'US' });
    await db.run(markSample, { workspace });
    const owner = email && { email, role: 'owner' as const, passwordHash: NO_PASSWORD };
    if (owner) await addUser(db, { workspace, actor: COMMAND_LINE }, owner);
    return workspace;
  },
);

/** Creates agents with their versions, and deploys them in order. Returns the ids. */
const addAgents = async (storage: Storage, users: readonly Principal[]): Promise<string[]> => {
  const [principal] = users as [Principal];
  const ids: string[] = [];
  for (const { name, description, greeting, paragraphs, deploys } of stories) {
    const [first, ...later] = paragraphs;
    let instructions: string = first;
    const { id } = await storage.run(createAgent, principal, { name, description, instructions });
    for (const [at, paragraph] of later.entries()) {
      instructions += `\n\n${paragraph}`;
      const value = configOf(greeting, at + 2);
      const config = new SentJson(JSON.stringify(value, null, 2), value);
      await createVersion(storage, principal, { id, instructions, config });
    }
    for (const [at, version] of deploys.entries()) {
      const user = users.at(at - 1) ?? principal;
      const note = /\w.*/.exec(paragraphs[version - 1] ?? '')?.[0] ?? null;
      await storage.run(deployVersion, user, { agent: id, version: `v${version}`, note });
    }
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
    // The secret is not shown, so that it cannot be used.
    const [id, secret] = [channelId.create(), newWebhookSecret()];
    const sealed = { secret_sealed: key.encrypt(secret, id), token_sealed: null };
    const secrets = { secret_hash: digest(secret), ...sealed };
    await storage.run(createChannel, principal, { id, kind, name, address, ...secrets, check: key.check });
    const connected = agent === null ? undefined : agents[agent];
    if (connected) await storage.run(connectAgent, principal, { id, agent: connected });
    ids.push(id);
  }
  return ids;
};

/** Campaigns with the number of their contacts, and the states of the first of them after the last attempt. The others wait. */
const CAMPAIGNS = [
  { name: 'Grinder check-up', agent: 2, statuses: ['active', 'finished'], contacts: 48, states: { completed: 41, failed: 7 } },
  { name: 'New season tasting', agent: 2, statuses: ['active'], contacts: 140, states: { completed: 53, failed: 14, in_progress: 11 } },
  { name: 'Repair plan renewal', agent: 1, statuses: ['active', 'paused'], contacts: 26, states: { completed: 7, failed: 1 } },
  { name: 'Office starter boxes', agent: 0, statuses: [], contacts: 0, states: {} },
] as const; // biome-ignore format: a table

type Status = NonNullable<EnrollmentUpdate['status']>;

/** How attempts go, in turn. A contact in progress has only outcomes of earlier attempts. */
const OUTCOMES: Readonly<Partial<Record<Status, readonly string[]>>> = {
  pending: ['no_answer', 'busy', 'call_back'],
  completed: ['booked', 'not_interested', 'booked', 'question'],
  failed: ['no_answer', 'wrong number', 'busy'],
};

/** One contact in so many is called a second time. */
const REPEATED = 4;

const LEASE_SECONDS = 3_600;

/** Claims the next contacts, as a dialer does, and reports a status for each. */
const callNext = async (
  storage: Storage,
  principal: Principal,
  id: string,
  statuses: readonly Status[],
): Promise<void> => {
  const claiming = { id, limit: statuses.length, lease_seconds: LEASE_SECONDS };
  const { claims } = await storage.run(claimContacts, principal, claiming);
  for (const [at, { claim_id, contact_id: contact }] of claims.entries()) {
    const status = statuses[at] as Status;
    const possible = OUTCOMES[status];
    if (!possible) continue;
    const outcome = possible[at % possible.length] as string;
    await storage.run(updateEnrollment, principal, { id, contact, claim_id, status, outcome });
  }
};

const addCampaigns = async (
  storage: Storage,
  principal: Principal,
  { agents, contacts }: { agents: readonly string[]; contacts: readonly string[] },
): Promise<void> => {
  for (const [at, campaign] of CAMPAIGNS.entries()) {
    const { name, agent, statuses, contacts: count, states } = campaign;
    const { id } = await storage.run(createCampaign, principal, { name, agent_id: agents[agent] ?? '' });
    const ids = contacts.slice(30 * at, 30 * at + count);
    if (count > 0) await storage.run(enrollContacts, principal, { campaign: id, ids });
    const [first, ...later] = statuses;
    if (first) await storage.run(updateCampaign, principal, { id, status: first });
    const reported = Object.entries(states) as [Status, number][];
    const results = reported.flatMap(([status, times]) => Array<Status>(times).fill(status));
    // Those that were not reached return to the front of the queue.
    const again = results.filter((_, index) => index % REPEATED === 0);
    if (results.length > 0) {
      const first = results.map((status, index): Status => (index % REPEATED === 0 ? 'pending' : status));
      await callNext(storage, principal, id, first);
      await callNext(storage, principal, id, again);
    }
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

/** How many contacts there are before the calls, by calls of others, and by the import, which adds three more. */
const [KNOWN, IMPORTED] = [385, 37];

/** Creates the workspace of sample data with the operations of the API. Only calls have times in the past. */
export const fillDemo = async (
  storage: Storage,
  key: CurrentKey,
  options: {
    handlers: JobHandlers;
    onProgress: (calls: number, total: number) => void;
    /** One that was created for it. */
    workspace?: number | undefined;
  },
) => {
  const workspace = options.workspace ?? (await storage.run(createSample, null, null));
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
  const integration = { id: hook.actor, name: 'Customer database', secret_hash: digest(newWebhookSecret()) };
  await storage.run(createIntegration, principal, integration);

  const numbers = createNumbers(KNOWN + STRANGERS + IMPORTED);
  const known = numbers.slice(0, KNOWN);
  const written = known.map((phone_number, at) => {
    const fields = { phone_number, ...createPerson() };
    const crm_ids = { 'customer database': String(10_000 + at) };
    return at % 6 === 0
      ? storage.run(receiveContact, hook, { ...fields, crm_ids })
      : storage.run(createContact, principal, { source: at % 5 === 0 ? 'manual' : 'api', fields });
  });
  const contacts = (await Promise.all(written)).map(({ id }) => id);
  await storage.run(replaceCallSettings, principal, callSettings);
  const calls = sampleCalls(known, numbers.slice(KNOWN, -IMPORTED));
  for (const [at, { line, event }] of calls.entries()) {
    const channel = channels[line] as string;
    const { id } = await storage.run(recordCall, { workspace, actor: channel }, { channel, event });
    if (at >= calls.length - TRANSCRIPTS && event.type === 'call')
      await storage.run(replaceTranscript, principal, { id, turns: sampleTurns });
    options.onProgress(at + 1, calls.length);
  }
  await addCampaigns(storage, principal, { agents, contacts });
  await importFile(storage, principal, fairFile(numbers.slice(-IMPORTED), known), options.handlers);
  const [user] = users as [User];
  return { principal, user, ...(await storage.run(getHomeFigures, principal, { days: 1 })) };
};

export type DemoSummary = Awaited<ReturnType<typeof fillDemo>>;
