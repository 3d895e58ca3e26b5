import type { Db } from '../../db/db.ts';
import { read } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { type JobHandlers, startRunner } from '../../jobs/runner.ts';
import type { CurrentKey } from '../../lib/encryption.ts';
import { createLog } from '../../lib/log.ts';
import { getFigures } from '../figures/figures.service.ts';
import { startApply } from '../imports/apply.service.ts';
import { planFile } from '../imports/plan-file.ts';
import { watchImport } from '../imports/progress.ts';
import type { Principal } from '../workspaces/principal.ts';
import { findSample } from './demo.store.ts';
import {
  type ContactWithTimes,
  insertCalls,
  insertCampaigns,
  insertSampleContacts,
  insertWorkspace,
} from './fill.service.ts';
import { createSample, type Sample, type SampleUser } from './sample.ts';

export const DEMO_WORKSPACE = 'demo';

/** The workspace named demo, and whether it contains sample data. */
export const findDemo = read(
  'findDemo',
  async (db: Db): Promise<{ id: number; isSample: boolean } | undefined> => {
    const found = await db.get(findSample, { name: DEMO_WORKSPACE });
    return found && { id: found.id, isSample: found.sample === 1 };
  },
);

/** Adds the times of first and last contact. */
const withContactTimes = ({ contacts, calls }: Sample): ContactWithTimes[] => {
  const callsByContact = Map.groupBy(calls, ({ contact_id }) => contact_id);
  return contacts.map((contact) => {
    const calls = callsByContact.get(contact.id) ?? [];
    const moments = [contact.created_at, ...calls.map(({ started_at }) => started_at)].sort();
    return { ...contact, first_contact_at: moments[0] ?? '', last_contact_at: moments.at(-1) ?? '' };
  });
};

const STEP = 100;

const inSteps = async <T>(list: readonly T[], each: (part: T[]) => Promise<void>): Promise<void> => {
  for (let at = 0; at < list.length; at += STEP) await each(list.slice(at, at + STEP));
};

/** Imports a file through the usual path. A service on the same database may run some of the steps. */
const importFile = async (
  storage: Storage,
  principal: Principal,
  { name, text }: Sample['file'],
  handlers: JobHandlers,
) => {
  const id = await planFile(storage, principal, {
    name,
    options: { country: 'US', legacy: false, on_existing: 'fill', tags: 'merge', on_invalid: 'omit_field' },
    bytes: (async function* () {
      yield Buffer.from(text);
    })(),
  });
  await storage.run(startApply, principal, { id });
  const log = createLog({ level: 'error', pretty: true, write: (line) => process.stderr.write(line) });
  const runner = startRunner(storage, handlers, log);
  for await (const _ of watchImport(storage, principal, id));
  await runner.stop();
};

export type DemoSummary = { principal: Principal; user: Pick<SampleUser, 'id' | 'email'> } & Pick<
  Awaited<ReturnType<typeof getFigures>>,
  'contacts' | 'agents' | 'channels' | 'calls' | 'campaigns'
>;

/** Creates the workspace of sample data, in short transactions, so that other writes do not wait long. */
export const fillDemo = async (
  storage: Storage,
  key: CurrentKey,
  { handlers, onProgress }: { handlers: JobHandlers; onProgress: (records: number, total: number) => void },
): Promise<DemoSummary> => {
  const sample = createSample(Date.now());
  const { users, agents, contacts, calls, campaigns } = sample;
  const total = contacts.length + calls.length;
  let done = 0;
  const addProgress = (records: readonly unknown[]) => {
    done += records.length;
    onProgress(done, total);
  };
  const principal = await storage.run(insertWorkspace, null, { name: DEMO_WORKSPACE, sample, key });
  await inSteps(withContactTimes(sample), async (people) => {
    await storage.run(insertSampleContacts, principal, { people });
    addProgress(people);
  });
  await inSteps(calls, async (part) => {
    await storage.run(insertCalls, principal, { calls: part });
    addProgress(part);
  });
  await storage.run(insertCampaigns, principal, { sample: { campaigns, agents } });
  await importFile(storage, principal, sample.file, handlers);
  const [user] = users as [SampleUser];
  return { principal, user, ...(await storage.run(getFigures, principal, { days: 1 })) };
};
