import { randomBytes } from 'node:crypto';
import { count } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { type CurrentKey, digest } from '../../lib/encryption.ts';
import { ApiError } from '../../lib/errors.ts';
import { recordAgentWritten, recordDeployed, recordVersionCreated } from '../agents/agent.events.ts';
import * as agents from '../agents/agent.store.ts';
import * as deploys from '../agents/deploy.store.ts';
import { countersOf, recordCalls } from '../calls/call.service.ts';
import { insertCall } from '../calls/call.store.ts';
import { getCampaign, recordCampaignEvent } from '../campaigns/campaign.service.ts';
import * as campaigns from '../campaigns/campaign.store.ts';
import { statusCounter } from '../campaigns/enrollment.counts.ts';
import { recordAllEnrolled } from '../campaigns/enrollment.events.ts';
import { getChannel, recordChannelEvent } from '../channels/channel.service.ts';
import { insertChannel } from '../channels/channel.store.ts';
import { updateDerivedData } from '../contacts/contact.derived.ts';
import * as contacts from '../contacts/contact.store.ts';
import { insertIntegration } from '../integrations/integration.store.ts';
import { addHook } from '../workspaces/hook.store.ts';
import { assertKeyCheck } from '../workspaces/key-check.ts';
import { NO_PASSWORD } from '../workspaces/password.ts';
import type { Principal } from '../workspaces/principal.ts';
import { updateSettings } from '../workspaces/settings.service.ts';
import { insertUser } from '../workspaces/user.store.ts';
import { createWorkspace } from '../workspaces/workspace.service.ts';
import type { SampleAgent } from './agents.ts';
import { iso } from './calendar.ts';
import type { SampleCall } from './calls.ts';
import type { SampleContact } from './contacts.ts';
import { markSample } from './demo.store.ts';
import type { Sample } from './sample.ts';

/* Writes records with times in the past, which no other operation can do. It uses the statements of each store and updates
 * counters, tags, search entries, events and hooks. */

/** Inserts an agent with its versions and deploys in order. */
const insertSampleAgent = async (
  db: Db,
  principal: Principal,
  { agent, users }: { agent: SampleAgent; users: Sample['users'] },
): Promise<void> => {
  const { workspace } = principal;
  const { id, name, description, created_at, updated_at } = agent;
  const facts = { workspace_id: workspace, id, name, description, created_at, updated_at };
  const last = agent.deploys.at(-1)?.version;
  const deployed = last === undefined ? undefined : { id: agent.versions[last]?.id ?? '', number: last + 1 };
  await db.run(agents.insertAgent, agents.rowOf(facts, deployed));
  recordAgentWritten(db, principal, facts);
  for (const [at, version] of agent.versions.entries()) {
    const row = {
      workspace_id: workspace,
      agent_id: id,
      ...version,
      created_by: users[0]?.id ?? null,
      based_on: agent.versions[at - 1]?.id ?? null,
    };
    await db.run(agents.insertDraft, row);
    recordVersionCreated(db, principal, { ...row, number: at + 1, status: 'draft' });
  }
  let previous: string | null = null;
  for (const [place, { at, version, by, note }] of agent.deploys.entries()) {
    const key: { workspace: number; agent: string } = { workspace, agent: id };
    const version_id: string = agent.versions[version]?.id ?? '';
    await db.run(deploys.archiveDeployed, key);
    await db.run(deploys.markDeployed, { ...key, version: version_id });
    const row = {
      workspace_id: workspace,
      agent_id: id,
      number: place + 1,
      version_id,
      previous_version_id: previous,
      deployed_at: iso(at),
      deployed_by: users[by]?.id ?? '',
      note,
    };
    await db.run(deploys.insertDeploy, row);
    recordDeployed(db, principal, row, agents.labelOf(version + 1));
    previous = version_id;
  }
  await db.run(agents.updateVersionsJson, { workspace, id });
  count(db, workspace, ['agents'], 1);
};

/** A random secret that is not shown, so that it cannot be used. */
const unknownSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Creates the workspace with its users, agents, channels and integration. */
export const insertWorkspace = write(
  'insertWorkspace',
  async (
    db: Db,
    _: null,
    { name, sample, key }: { name: string; sample: Sample; key: CurrentKey },
  ): Promise<Principal> => {
    await assertKeyCheck(db, key.check);
    const { id: workspace } = await createWorkspace(db, null, { name });
    const principal: Principal = { workspace, actor: sample.users[0]?.id ?? '' };
    await db.run(markSample, { workspace });
    await updateSettings(db, principal, { default_country: 'US' });
    for (const { isActive, ...user } of sample.users) {
      const row = { ...user, workspace_id: workspace, password: NO_PASSWORD };
      if (isActive && (await db.run(insertUser, row)) === 0) {
        throw new ApiError(
          'CONFLICT',
          `The user ${user.email} already exists in another workspace. Remove that user first.`,
        );
      }
    }
    for (const agent of sample.agents) await insertSampleAgent(db, principal, { agent, users: sample.users });
    for (const { id, kind, name, address, agent, created_at } of sample.channels) {
      const secret = unknownSecret();
      await db.run(insertChannel, {
        workspace_id: workspace,
        id,
        kind,
        name,
        address,
        agent_id: agent === null ? null : (sample.agents[agent]?.id ?? null),
        secret_hash: digest(secret),
        secret_sealed: key.encrypt(secret, id),
        token_sealed: null,
        created_at,
        updated_at: created_at,
      });
      await addHook(db, { id, workspace_id: workspace });
      recordChannelEvent(db, principal, await getChannel(db, principal, { id }));
    }
    const secret_hash = digest(unknownSecret());
    await db.run(insertIntegration, { ...sample.integration, workspace_id: workspace, secret_hash });
    await addHook(db, { id: sample.integration.id, workspace_id: workspace });
    return principal;
  },
);

export type ContactWithTimes = SampleContact & { first_contact_at: string; last_contact_at: string };

export const insertSampleContacts = write(
  'insertSampleContacts',
  async (
    db: Db,
    principal: Principal,
    { people }: { people: readonly ContactWithTimes[] },
  ): Promise<void> => {
    const { workspace } = principal;
    for (const { at: _, crm_ids: ids, tags, ...facts } of people) {
      const crm_ids = JSON.stringify(ids);
      const row = contacts.rowOf({ ...facts, workspace_id: workspace, tags: JSON.stringify(tags) });
      const inserted = await db.get(contacts.insertContact, { ...row, created_by: principal.actor });
      if (!inserted) throw new Error(`The sample has the number ${row.phone_identity} twice.`);
      updateDerivedData(db, principal, { seq: inserted.seq, crm_ids }, undefined, row);
      if (crm_ids !== '{}') await db.run(contacts.setCrmIds, { workspace, id: row.id, crm_ids });
    }
  },
);

export const insertCalls = write(
  'insertCalls',
  async (db: Db, principal: Principal, { calls }: { calls: readonly SampleCall[] }): Promise<void> => {
    const { workspace } = principal;
    for (const call of calls) {
      await db.run(insertCall, { ...call, workspace_id: workspace });
      count(db, workspace, countersOf(call), 1);
    }
    await recordCalls(
      db,
      principal,
      calls.map(({ id }) => id),
    );
  },
);

export const insertCampaigns = write(
  'insertCampaigns',
  async (
    db: Db,
    principal: Principal,
    { sample }: { sample: Pick<Sample, 'campaigns' | 'agents'> },
  ): Promise<void> => {
    const { workspace } = principal;
    for (const { agent, batches, ...campaign } of sample.campaigns) {
      const agent_id = sample.agents[agent]?.id ?? '';
      await db.run(campaigns.insertCampaign, { ...campaign, workspace_id: workspace, agent_id });
      recordCampaignEvent(db, principal, await getCampaign(db, principal, { id: campaign.id }));
      for (const { enrolled_at, enrollments } of batches) {
        const key = { workspace, campaign: campaign.id };
        const ids = JSON.stringify(enrollments.map(({ contact }) => contact));
        await db.run(campaigns.insertEnrollments, { ...key, ids, at: enrolled_at });
        for (const { contact, status, updated_at } of enrollments) {
          if (status !== 'pending')
            await db.run(campaigns.setEnrollment, { ...key, contact, status, at: updated_at });
          count(db, workspace, [statusCounter(campaign.id, status)], 1);
        }
        const contacts = enrollments.map(({ contact }) => contact);
        await recordAllEnrolled(db, principal, { campaign: campaign.id, contacts });
      }
    }
  },
);
