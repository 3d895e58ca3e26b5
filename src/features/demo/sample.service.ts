import { sql } from 'kysely';
import { readCounter } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { derivedStatement as statement } from '../../db/statement.ts';
import { cancelJob, extendClaim, isScheduled, jobStep, scheduleJob } from '../../jobs/job.service.ts';
import type { JobHandlers, Step } from '../../jobs/runner.ts';
import type { Encryptor } from '../../lib/encryption.ts';
import { conflict, existing, forbidden, unavailable } from '../../lib/errors.ts';
import { PROGRAM } from '../../lib/executable.ts';
import { change } from '../../records/change.ts';
import { CALL_COUNTER } from '../calls/call.store.ts';
import type { UserPrincipal } from '../workspaces/principal.ts';
import { findMember, findSelf, listUsers } from '../workspaces/user.service.ts';
import { createSample, DEMO_WORKSPACE, fillDemo } from './demo.service.ts';
import { SAMPLE_CALLS } from './history.ts';
import { findDemo, removeSample, removeStep } from './remove.service.ts';

/* The sample data, as an owner loads and removes it in the dashboard: the workspace of `roster demo`, with the owner as another user. */

export const LOADING = 'sample.loading';
export const REMOVING = 'sample.removing';

const findOthers = statement(
  ({ workspace }: { workspace: number }) =>
    sql<unknown>`select 1 from workspaces where id <> ${workspace} and sample = 0 limit 1`,
);

/** `unavailable`: the service has several workspaces, whose owners must not create another one, or the name is in use. `current`: the caller
 *  is in the workspace of the sample data. */
export const sampleStates = ['unavailable', 'current', 'none', 'loading', 'ready', 'removing'] as const;

/** The sample data, and whether the caller is a user of it. */
const stateOf = async (db: Db, { workspace, email }: UserPrincipal) => {
  const found = await findDemo(db, null, { name: DEMO_WORKSPACE });
  const member = found && (await findMember(db, { workspace: found.id }, { email }));
  const is = (state: (typeof sampleStates)[number]) => ({ state, sample: found, member });
  if (found?.id === workspace && found.sample === 1) return is('current');
  if (found?.sample === 0 || (await db.get(findOthers, { workspace }))) return is('unavailable');
  if (await isScheduled(db, { workspace, kind: LOADING })) return is('loading');
  if (await isScheduled(db, { workspace, kind: REMOVING })) return is('removing');
  return is(found ? 'ready' : 'none');
};

export const getSampleData = read('getSampleData', async (db, principal: UserPrincipal) => {
  const { state, sample, member } = await stateOf(db, principal);
  const calls = state === 'loading' && sample ? await readCounter(db, sample.id, CALL_COUNTER) : 0;
  return { state, percent: Math.floor((100 * calls) / SAMPLE_CALLS), user_id: member?.id ?? null };
});

const inUse = () =>
  conflict(
    `The workspace ${DEMO_WORKSPACE} exists already, and you are not one of its users. Remove it with ${PROGRAM} demo --remove.`,
  );

/** In the audit log of the caller's own workspace. */
const record = (db: Db, principal: UserPrincipal, isLoaded: boolean): void => {
  const values = { before: { sample_data: !isLoaded }, after: { sample_data: isLoaded } };
  change(db, principal, { action: 'settings.updated', fields: ['sample_data'], values });
};

/** Creates the workspace of the sample data, and the job that fills it. Returns the caller's user in it, also if it exists already. */
export const startLoading = write('startLoading', async (db, principal: UserPrincipal) => {
  const { workspace, actor: subject, email } = principal;
  const { state, sample, member } = await stateOf(db, principal);
  if (state === 'unavailable')
    throw forbidden(
      `This service has several workspaces, so an operator loads the sample data: ${PROGRAM} demo.`,
    );
  if (state === 'removing') throw conflict('The sample data is being removed. Try again in a few seconds.');
  if (sample && !member) throw inUse();
  const id = sample?.id ?? (await createSample(db, null, email));
  if (!sample) {
    await scheduleJob(db, { workspace, kind: LOADING, subject });
    record(db, principal, true);
  }
  return member ?? existing('user', await findMember(db, { workspace: id }, { email }));
});

/** Removes the sample data in the background, also while it is being loaded. */
export const startRemoving = write('startRemoving', async (db, principal: UserPrincipal): Promise<void> => {
  const { workspace, actor: subject } = principal;
  const { state, sample, member } = await stateOf(db, principal);
  if (!sample || state === 'removing') return;
  if (state === 'current')
    throw conflict('You are in the workspace of the sample data. Switch to your own one to remove it.');
  if (state === 'unavailable' || !member) throw inUse();
  await cancelJob(db, { workspace, kind: LOADING, subject });
  await scheduleJob(db, { workspace, kind: REMOVING, subject });
  record(db, principal, false);
});

const endJob = jobStep('endSampleJob', async () => true);

const EXTEND_MS = 1_000;

/** Fills the workspace in one step, because its records refer to each other. An attempt after one that was interrupted begins again. */
export const loadingStep =
  (encryptor: Encryptor, handlers: JobHandlers, isStopping: () => boolean): Step =>
  async (storage, { job }) => {
    let isCanceled = false;
    const extend = async () => {
      isCanceled = (await storage.run(extendClaim, null, job)) === 0;
    };
    const extending = setInterval(() => extend().catch(() => {}), EXTEND_MS);
    const onProgress = () => {
      if (isStopping() || isCanceled) throw unavailable('The service is stopping, or the job was canceled.');
    };
    try {
      const found = await storage.run(findDemo, null, { name: DEMO_WORKSPACE });
      const own = { workspace: job.workspace_id, actor: job.subject };
      const email = (await storage.run(findSelf, own, null))?.email ?? null;
      const users = found && (await storage.run(listUsers, { ...own, workspace: found.id }, null));
      const isNew = users?.length === 1;
      if (found && !isNew) await removeSample(storage, found.id, () => {});
      const workspace = isNew ? found?.id : await storage.run(createSample, null, email);
      await fillDemo(storage, await encryptor.current(), { handlers, onProgress, workspace });
    } finally {
      clearInterval(extending);
    }
    return storage.run(endJob, null, { job, size: 1 });
  };

/** Removes the next records of the sample data. */
export const removingStep: Step = async (storage, { job }) => {
  const found = await storage.run(findDemo, null, { name: DEMO_WORKSPACE });
  const principal = { workspace: found?.id ?? 0, actor: job.subject };
  if (found?.sample === 1 && (await storage.run(removeStep, principal, null)) > 0) return false;
  return storage.run(endJob, null, { job, size: 1 });
};
