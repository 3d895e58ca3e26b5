import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { jobStep, scheduleJob } from '../../jobs/job.service.ts';
import { transactionStep } from '../../jobs/runner.ts';
import { findBounds, listEvents, type StoredEvent } from '../../records/event.store.ts';
import { afterSequencing, followerOf, SLEEP_MS } from '../events/event.followers.ts';
import type { Principal } from '../workspaces/principal.ts';
import { updateKeys } from './duplicate.groups.ts';
import { COMPARED_FIELDS } from './duplicate.keys.ts';
import * as store from './duplicate.store.ts';

/* The job that compares contacts: first all of them, in steps, and then those with events. */

const FOLLOWING = 'duplicates.following';
const SUBJECT = 'contacts';

const boundsOf = async (db: Db, workspace: number) => {
  const bounds = await db.get(findBounds, { workspace });
  return { oldest: bounds?.oldest ?? 0, newest: bounds?.newest ?? 0 };
};

/** Starts the job of a workspace. The position in the feed is read before any contact: an event that has none yet gets a later one. */
export const startDuplicates = write(
  'startDuplicates',
  async (db, { workspace }: Principal): Promise<void> => {
    const { newest: position } = await boundsOf(db, workspace);
    if ((await db.run(store.insertFollower, { workspace, position })) > 0)
      await scheduleJob(db, { workspace, kind: FOLLOWING, subject: SUBJECT });
  },
);

/** A call can attest that two contacts have one identity. */
const TYPES = JSON.stringify(['contact.created', 'contact.updated', 'call.recorded']);
/** How many events a step reads for each contact that it may compare. */
const EVENTS_PER_CONTACT = 10;

const isCompared = ({ changed }: StoredEvent): boolean =>
  changed === null || (JSON.parse(changed) as string[]).some((field) => COMPARED_FIELDS.has(field));

const followDuplicates = jobStep('followDuplicates', async (db, { job, size }) => {
  const { workspace_id: workspace } = job;
  const follower = await db.get(store.lockFollower, { workspace });
  if (!follower) return true;
  const { oldest, newest } = await boundsOf(db, workspace);
  const after = Number(follower.followed_until);
  const update = (changed: Partial<typeof follower>) =>
    db.run(store.updateFollower, { ...follower, workspace_id: workspace, ...changed });
  // Events have expired before they were read.
  if (after > newest || oldest > after + 1) {
    await update({ followed_until: newest, walked_until: 0 });
    return false;
  }
  if (follower.walked_until !== null) {
    const range = { workspace, after: Number(follower.walked_until), limit: size };
    const contacts = await db.all(store.nextContacts, range);
    await updateKeys(
      db,
      workspace,
      contacts.map(({ id }) => id),
    );
    await update({ walked_until: contacts.length < size ? null : Number(contacts.at(-1)?.seq) });
    return false;
  }
  if (after >= newest) return SLEEP_MS;
  const until = Math.min(newest, after + size * EVENTS_PER_CONTACT);
  const events = await db.all(listEvents.thin.ofTypes, {
    workspace,
    after,
    until,
    limit: size,
    types: TYPES,
  });
  const compared = events.filter(isCompared).flatMap(({ contact_id }) => contact_id ?? []);
  await updateKeys(db, workspace, [...new Set(compared)]);
  const followed_until = events.length < size ? until : Number(events.at(-1)?.seq);
  await update({ followed_until });
  return followed_until >= newest ? SLEEP_MS : false;
});

export const duplicatesStep = afterSequencing(transactionStep(followDuplicates));

export const duplicateFollower = followerOf(FOLLOWING, store.findAwaited);
