import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import type { Keys } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { jobStep, scheduleJob } from '../../jobs/job.service.ts';
import { change } from '../../records/change.ts';
import { recordContactSeen } from '../contacts/contact.seen.ts';
import { type AttachedIdentity, findAttached } from '../contacts/identity.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { findSnapshot } from './call.service.ts';

/* The calls of people without a contact, which are linked when a contact gets their identity. */

/** How many calls the request that adds the identity links. A job links the others. */
const LINKED_AT_ONCE = 1_000;

type Step = { workspace: number; identity: string; limit: number };

const lockUnlinked = statement(
  ({ workspace, identity, limit }: Step, dialect) => sql<{ id: string; started_at: string }>`
    with chosen as materialized (
      select id from calls where workspace_id = ${workspace} and identity_id = ${identity} and contact_id is null
      order by started_at, seq limit ${limit}
    )
    select id, started_at from calls where workspace_id = ${workspace} and id in (select id from chosen)
    order by id ${dialect.lockRow()}`,
);

const linkRows = statement(
  ({ workspace, keys, contact }: Keys & { contact: string }, dialect) => sql<never>`
    with linked as materialized (select value from ${dialect.eachText(keys)})
    update calls set contact_id = ${contact} where workspace_id = ${workspace} and id in (select value from linked)`,
);

/** Links some calls to a contact, which the caller has locked. Returns whether these were all. */
const linkSome = async (
  db: Db,
  principal: Principal,
  { identity, contact }: AttachedIdentity,
  limit: number,
): Promise<boolean> => {
  const { workspace } = principal;
  const calls = await db.all(lockUnlinked, { workspace, identity, limit });
  if (calls.length === 0) return true;
  await db.run(linkRows, { workspace, keys: JSON.stringify(calls.map(({ id }) => id)), contact });
  for (const { id } of calls) {
    const event = await findSnapshot(db, workspace, id);
    change(db, principal, {
      action: 'call.updated',
      subject: id,
      isAudited: false,
      fields: ['contact_id'],
      event,
    });
  }
  const times = calls.map(({ started_at }) => started_at).sort();
  for (const at of new Set([times[0], times.at(-1)]))
    await recordContactSeen(db, principal, {
      id: contact,
      number: '',
      near: '',
      at: at ?? '',
      create: false,
    });
  return calls.length < limit;
};

const LINKING = 'identity.linking';

/** Runs when a contact gets the identity of a person without one. */
export const linkCalls = async (db: Db, principal: Principal, attached: AttachedIdentity): Promise<void> => {
  const { workspace } = principal;
  if (await linkSome(db, principal, attached, LINKED_AT_ONCE)) return;
  await scheduleJob(db, { workspace, kind: LINKING, subject: attached.identity });
};

export const linkCallsStep = jobStep('linkCallsStep', async (db, { job, size }) => {
  const { workspace_id: workspace, subject: identity } = job;
  const contact = await findAttached(db, { workspace, identity });
  return contact === undefined || linkSome(db, { workspace, actor: identity }, { identity, contact }, size);
});
