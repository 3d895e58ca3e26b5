import { readConfig } from '../config/config.ts';
import type { Storage } from '../db/storage.ts';
import { DEMO_WORKSPACE, type DemoSummary, fillDemo } from '../features/demo/demo.service.ts';
import { findDemo, removeSample } from '../features/demo/remove.service.ts';
import { createSignInLink } from '../features/workspaces/link.service.ts';
import { openEncryptor } from '../features/workspaces/secret-key.ts';
import { conflict } from '../lib/errors.ts';
import { PROGRAM } from '../lib/executable.ts';
import { jobHandlers } from '../wiring/handlers.ts';
import { type Command, type ParsedArgs, withStorage } from './command.ts';
import { OTHER_ADDRESS, serviceUrl } from './link.ts';
import { progressBar } from './progress.ts';

/** Removes the sample data, if any. Rejects a workspace named demo that this command did not create. */
const remove = async (storage: Storage): Promise<boolean> => {
  const found = await storage.run(findDemo, null, { name: DEMO_WORKSPACE });
  if (!found) return false;
  if (found.sample !== 1)
    throw conflict(`This command did not create the workspace ${DEMO_WORKSPACE}, so it was not changed.`);
  const bar = progressBar('Removing');
  await removeSample(storage, found.id, (records) => bar.update(records)).finally(() => bar.end());
  return true;
};

const fill = async (storage: Storage): Promise<DemoSummary> => {
  if (await storage.run(findDemo, null, { name: DEMO_WORKSPACE }))
    throw conflict(
      `The workspace ${DEMO_WORKSPACE} already exists. To recreate it: ${PROGRAM} demo --reset. To remove it: ${PROGRAM} demo --remove.`,
    );
  const { secretKeys, dataDir } = readConfig(process.env);
  const encryptor = await openEncryptor(storage, secretKeys, dataDir);
  const bar = progressBar('Filling');
  return fillDemo(storage, await encryptor.current(), {
    handlers: jobHandlers,
    onProgress: (records, total) => bar.update(records, total),
  }).finally(() => bar.end());
};

const formatSummary = ({ contacts, agents, channels, calls, campaigns, user }: DemoSummary, url: string) => {
  const count = (number: number) => number.toLocaleString('en');
  return `The workspace ${DEMO_WORKSPACE} has ${count(contacts)} contacts, ${agents} agents, ${channels} channels, ${count(calls)} calls and ${campaigns} campaigns. All of it is fictional.

Sign in as ${user.email}. This sign-in link works once and expires in 24 hours:

  ${url}

${OTHER_ADDRESS}
To create another link: ${PROGRAM} user link ${user.email} --workspace ${DEMO_WORKSPACE}
To remove the workspace: ${PROGRAM} demo --remove`;
};

const run = async ({ flag, print, usageError }: ParsedArgs): Promise<void> => {
  const [isReset, isRemoval] = [flag('reset'), flag('remove')];
  if (isReset && isRemoval) throw usageError();
  const work = async (storage: Storage): Promise<void> => {
    const removed = (isReset || isRemoval) && (await remove(storage));
    if (isRemoval)
      return print({ removed }, `${removed ? 'Removed the' : 'There is no'} workspace ${DEMO_WORKSPACE}.`);
    const demo = await fill(storage);
    const { principal, user, contacts, agents, channels, calls, campaigns } = demo;
    const { url_path, expires_at } = await storage.run(createSignInLink, principal, user);
    const url = serviceUrl() + url_path;
    const link = { workspace: DEMO_WORKSPACE, email: user.email, url, expires_at };
    print({ ...link, contacts, agents, channels, calls, campaigns }, formatSummary(demo, url));
  };
  await withStorage(work, { mayCreate: !isRemoval });
};

export const demoCommand: Command = {
  forms: {
    'roster demo [--reset | --remove] [--json]': [
      'Creates a workspace named demo with sample data and prints a sign-in link.',
      run,
    ],
  },
  options: {
    reset: 'Remove the demo workspace and create it again.',
    remove: 'Remove the demo workspace and everything in it.',
  },
};
