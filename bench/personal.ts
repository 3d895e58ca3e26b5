import type { Database } from '../src/db/database.ts';
import type { Db } from '../src/db/db.ts';
import { openStorage } from '../src/db/open/open.ts';
import { write } from '../src/db/operation.ts';
import { createAgent, getAgent } from '../src/features/agents/agent.service.ts';
import { deployVersion } from '../src/features/agents/deploy.service.ts';
import { createCampaign } from '../src/features/campaigns/campaign.service.ts';
import { enroll } from '../src/features/campaigns/enrollment.service.ts';
import { channelId } from '../src/features/channels/channel.service.ts';
import { insertChannel, updateChannel } from '../src/features/channels/channel.store.ts';
import { createField } from '../src/features/fields/field.service.ts';
import { insertHook } from '../src/features/workspaces/hook.store.ts';
import type { Principal } from '../src/features/workspaces/principal.ts';
import { timestamp } from '../src/lib/clock.ts';
import { digest } from '../src/lib/encryption.ts';
import { filledFile } from './databases.ts';
import { type Filled, fill } from './fill.ts';
import { load } from './load.ts';
import { compare } from './machines.ts';
import { instructionsOf, phoneAt } from './people.ts';
import { openDatabase } from './postgres.database.ts';
import { printProgress } from './progress.ts';
import { ratioOf, runRounds, spreadOver } from './rounds.ts';
import type { Run } from './run.ts';
import { type Server, startRoster } from './server.ts';
import { CONNECTIONS } from './settings.ts';
import type { Figure } from './targets.ts';
import { printFigure, rateText } from './texts.ts';
import { NUMBER, type Traffic, trafficByName } from './works.ts';

/* Fields of contacts and rendered instructions, compared with the same requests without them. */

/** Five values, of which two are of filterable fields. */
const VALUES = {
  plan: 'gold',
  balance: 120.5,
  renewal: '2027-03-01',
  vehicle: 'Van',
  source_url: 'https://example.com/a',
};
const FIELDS = [
  { key: 'plan', type: 'enum', options: ['gold', 'silver'], filterable: true },
  { key: 'balance', type: 'number' },
  { key: 'renewal', type: 'date', filterable: true },
  { key: 'vehicle', type: 'text' },
  { key: 'source_url', type: 'url' },
] as const;

/** 2 KB, with values of the contact, and of a field that it does not have. */
const INSTRUCTIONS = `Speak with {{first_name}} {{last_name}} of {{company|a company}} about the plan {{plan|basic}}.\n${instructionsOf(1)}${instructionsOf(2)}`;

/** Contacts of a claim. The campaigns have enough for every round. */
const CLAIMED = 10;

interface Prepared {
  /** The version with variables. */
  readonly version: string;
  /** A channel with its agent. */
  readonly channel: string;
  /** Two campaigns in which all contacts are enrolled. */
  readonly plain: string;
  readonly rendered: string;
}

/** Of the channel. */
const SECRET = 'whsec_bench';

const insertLine = async (
  db: Db,
  { workspace: workspace_id }: Principal,
  line: { id: string; agent_id: string },
): Promise<void> => {
  const now = timestamp();
  const times = { created_at: now, updated_at: now };
  const secrets = { secret_hash: digest(SECRET), secret_sealed: '', token_sealed: null };
  const facts = { kind: 'web_chat', name: 'Line', address: 'line', adapter: 'native' } as const;
  const row = { workspace_id, id: line.id, ...facts, ...secrets, ...times };
  await db.run(insertChannel, row);
  await db.run(insertHook, { id: line.id, workspace_id });
  const none = { old_secret_hash: null, old_secret_sealed: null, old_secret_expires_at: null };
  await db.run(updateChannel, {
    ...row,
    ...line,
    ...none,
    old_token_sealed: null,
    old_token_expires_at: null,
  });
};

const insertPersonal = write('insertPersonal', async (db: Db, principal: Principal) => {
  for (const { key, ...field } of FIELDS) {
    const options = 'options' in field ? [...field.options] : undefined;
    await createField(db, principal, { ...field, key, label: key, options });
  }
  const { id: agent } = await createAgent(db, principal, { name: 'Renewals', instructions: INSTRUCTIONS });
  const [version] = JSON.parse((await getAgent(db, principal, { id: agent })).json).versions;
  await deployVersion(db, principal, { agent, version: version.id, note: null });
  const campaign = async (name: string) =>
    (await createCampaign(db, principal, { name, agent_id: agent, status: 'active' })).id;
  const id = channelId.create();
  await insertLine(db, principal, { id, agent_id: agent });
  const version_path = `/v1/agents/${agent}/versions/${version.id}`;
  return {
    version: version_path,
    channel: id,
    plain: await campaign('plain'),
    rendered: await campaign('rendered'),
  };
});

const prepare = async (database: Database, { workspace }: Filled, withClaims: boolean): Promise<Prepared> => {
  const storage = await openStorage(database, {
    onFault: (error) => {
      throw error;
    },
  });
  const principal = { workspace, actor: 'bench' };
  const prepared = await storage.run(insertPersonal, principal, null);
  if (withClaims) {
    printProgress('enrolling all contacts in two campaigns');
    for (const campaign of [prepared.plain, prepared.rendered])
      await enroll(storage, principal, { campaign, audience: { tag: 'customer' } });
  }
  await storage.close();
  return prepared;
};

const measureEngine = async (
  prefix: 'personal' | 'personal.pg',
  run: Run,
  { server, filled, prepared }: { server: Server; filled: Filled; prepared: Prepared },
): Promise<Figure[]> => {
  const { key, ids } = filled;
  const sending = (traffic: Traffic) => (seconds: number) =>
    load(server.url, traffic, { connections: CONNECTIONS, seconds });
  const posting = (path: string, body: object) =>
    sending({ method: 'POST', key, paths: [path], body: JSON.stringify(body) });
  const figures: Figure[] = [];
  if (run.wants(`${prefix}.create`)) {
    const create = trafficByName.create(filled);
    const fields = `${(create.body ?? '').slice(0, -1)},"fields":${JSON.stringify(VALUES)}}`;
    const contestants = { without: sending(create), with: sending({ ...create, body: fields }) };
    // The cost of a create is the inverse of its rate.
    figures.push(await compare(`${prefix}.create`, { contestants, of: 'without', to: 'with' }, run));
  }
  if (run.wants(`${prefix}.render`)) {
    const paths = [`${prepared.version}/render`];
    const body = JSON.stringify({ contact_id: ids[0] });
    const contestants = {
      render: sending({ method: 'POST', key, paths, body, values: ids }),
      get: sending(trafficByName.get(filled)),
    };
    figures.push(await compare(`${prefix}.render`, { contestants, of: 'render', to: 'get' }, run));
  }
  if (run.wants(`${prefix}.claim`)) {
    const claiming = (campaign: string, render: boolean) =>
      posting(`/v1/campaigns/${campaign}/claims`, { limit: CLAIMED, render });
    const contestants = {
      plain: claiming(prepared.plain, false),
      rendered: claiming(prepared.rendered, true),
    };
    figures.push(await compare(`${prefix}.claim`, { contestants, of: 'rendered', to: 'plain' }, run));
  }
  if (run.wants(`${prefix}.session`)) {
    const contestants = {
      session: sending(sessionsOn(prepared.channel, filled.contacts)),
      get: sending(trafficByName.get(filled)),
    };
    const rounds = await runRounds(contestants, run.settings.shortRounds);
    const value = ratioOf(rounds, { of: 'session', to: 'get', by: 'rate' });
    const rate = (who: 'session' | 'get') => rateText(spreadOver(rounds, who, 'rate').median);
    const facts = { 'measured /s': rate('session'), 'compared with /s': rate('get') };
    const p99 = spreadOver(rounds, 'session', 'p99');
    printFigure(`${prefix}.session`, value);
    printFigure(`${prefix}.session.p99`, p99);
    figures.push({ name: `${prefix}.session`, value, facts });
    figures.push({ name: `${prefix}.session.p99`, value: p99, facts: {} });
  }
  return figures;
};

/** Sessions with all contacts, each of another call. */
const sessionsOn = (channel: string, contacts: number): Traffic => {
  const values = Array.from({ length: contacts }, (_, at) => phoneAt(at));
  const body = { provider_id: `call-${NUMBER}`, direction: 'inbound', number: values[0] };
  const paths = [`/hooks/channels/${channel}/sessions`];
  return { method: 'POST', key: SECRET, paths, body: JSON.stringify(body), values };
};

const WORKS = ['create', 'render', 'claim', 'session'] as const;

/** Creates with fields, renderings, claims with renderings, and sessions, on both engines. */
export const measurePersonal = async (run: Run): Promise<Figure[]> => {
  const size = { contacts: 2 * run.settings.contacts, neighbours: 0 };
  const figures: Figure[] = [];
  if (WORKS.some((work) => run.wants(`personal.${work}`))) {
    const filled = await filledFile(size, run.folder, 'personal');
    const prepared = await prepare(
      { engine: 'sqlite', path: filled.path },
      filled,
      run.wants('personal.claim'),
    );
    const server = await startRoster(`sqlite:${filled.path}`);
    figures.push(...(await measureEngine('personal', run, { server, filled, prepared })));
    await server.stop();
  }
  if (WORKS.some((work) => run.wants(`personal.pg.${work}`))) {
    const { url, close } = await openDatabase();
    const database = { engine: 'postgres', url } as const;
    const filled = await fill(database, size);
    const prepared = await prepare(database, filled, run.wants('personal.pg.claim'));
    const server = await startRoster(url);
    figures.push(...(await measureEngine('personal.pg', run, { server, filled, prepared })));
    await server.stop();
    await close();
  }
  return figures;
};
