import type { Db } from '../../db/db.ts';
import { read } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { type Step, startRunner } from '../../jobs/runner.ts';
import type { CurrentKey } from '../../lib/encryption.ts';
import { createLog } from '../../lib/log.ts';
import { getFigures } from '../figures/figures.service.ts';
import { startApply } from '../imports/apply.service.ts';
import { planFile } from '../imports/planner.ts';
import { watchImport } from '../imports/progress.ts';
import type { Principal } from '../workspaces/principal.ts';
import { findSample } from './demo.store.ts';
import {
  type MetContact,
  placeCalls,
  placeCampaigns,
  placeContacts,
  placeWorkspace,
} from './fill.service.ts';
import { createSample, type Sample, type SampleUser } from './sample.ts';

export const DEMO_WORKSPACE = 'demo';

/** The workspace of sample data, or another one that has its name. */
export const findDemo = read(
  'findDemo',
  async (db: Db): Promise<{ id: number; isSample: boolean } | undefined> => {
    const found = await db.get(findSample, { name: DEMO_WORKSPACE });
    return found && { id: found.id, isSample: found.sample === 1 };
  },
);

/** The contacts with the first and the last time at which they were met. */
const metContacts = ({ contacts, calls }: Sample): MetContact[] => {
  const met = Map.groupBy(calls, ({ contact_id }) => contact_id);
  return contacts.map((contact) => {
    const calls = met.get(contact.id) ?? [];
    const moments = [contact.created_at, ...calls.map(({ started_at }) => started_at)].sort();
    return { ...contact, first_contact_at: moments[0] ?? '', last_contact_at: moments.at(-1) ?? '' };
  });
};

const STEP = 100;

const inSteps = async <T>(list: readonly T[], each: (part: T[]) => Promise<void>): Promise<void> => {
  for (let at = 0; at < list.length; at += STEP) await each(list.slice(at, at + STEP));
};

/** Brings a file in as a person would, today. A service that runs on the same database may do the steps as well as we. */
const importFile = async (
  storage: Storage,
  principal: Principal,
  { name, text }: Sample['file'],
  jobSteps: Readonly<Record<string, Step>>,
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
  const runner = startRunner(storage, jobSteps, log);
  for await (const _ of watchImport(storage, principal, id));
  await runner.stop();
};

export type Filled = { principal: Principal; user: Pick<SampleUser, 'id' | 'email'> } & Pick<
  Awaited<ReturnType<typeof getFigures>>,
  'contacts' | 'agents' | 'channels' | 'calls' | 'campaigns'
>;

/** Makes the workspace of sample data and fills it, in steps, so that no other write waits for long. */
export const fillDemo = async (
  storage: Storage,
  key: CurrentKey,
  jobSteps: Readonly<Record<string, Step>>,
  onProgress: (records: number, total: number) => void,
): Promise<Filled> => {
  const sample = createSample(Date.now());
  const { users, agents, contacts, calls, campaigns } = sample;
  const total = contacts.length + calls.length;
  let done = 0;
  const told = (records: readonly unknown[]) => {
    done += records.length;
    onProgress(done, total);
  };
  const principal = await storage.run(placeWorkspace, null, { name: DEMO_WORKSPACE, sample, key });
  await inSteps(metContacts(sample), async (people) => {
    await storage.run(placeContacts, principal, { people });
    told(people);
  });
  await inSteps(calls, async (part) => {
    await storage.run(placeCalls, principal, { calls: part });
    told(part);
  });
  await storage.run(placeCampaigns, principal, { sample: { campaigns, agents } });
  await importFile(storage, principal, sample.file, jobSteps);
  const [user] = users as [SampleUser];
  return { principal, user, ...(await storage.run(getFigures, principal, { days: 1 })) };
};
