import { readConfig } from '../config/config.ts';
import type { Storage } from '../db/storage.ts';
import { DEMO_WORKSPACE, type DemoSummary, fillDemo } from '../features/demo/demo.service.ts';
import { findDemo, removeSample } from '../features/demo/remove.service.ts';
import { createLink } from '../features/workspaces/link.service.ts';
import { openEncryptor } from '../features/workspaces/secret-key.ts';
import { ApiError } from '../lib/errors.ts';
import { PROGRAM } from '../lib/executable.ts';
import { jobHandlers } from '../wiring/handlers.ts';
import { AS_JSON, type Command, print, usageError, withStorage } from './command.ts';
import { linkUrl, OTHER_ADDRESS } from './link.ts';
import { progressBar } from './progress.ts';

const usage = {
  'roster demo [--reset | --remove] [--json]':
    'Creates a workspace named demo with sample data and prints a sign-in link.',
};

const options = {
  reset: { type: 'boolean', description: 'Remove the demo workspace and create it again.' },
  again: { type: 'boolean' },
  remove: { type: 'boolean', description: 'Remove the demo workspace and everything in it.' },
  json: AS_JSON,
} as const;

/** Removes the sample data, if any. Rejects a workspace named demo that this command did not create. */
const remove = async (storage: Storage): Promise<boolean> => {
  const found = await storage.run(findDemo, null, { name: DEMO_WORKSPACE });
  if (!found) return false;
  if (!found.isSample) {
    throw new ApiError(
      'CONFLICT',
      `This command did not create the workspace ${DEMO_WORKSPACE}, so it was not changed.`,
    );
  }
  const bar = progressBar('Removing');
  await removeSample(storage, found.id, (records) => bar.update(records)).finally(() => bar.end());
  return true;
};

const fill = async (storage: Storage): Promise<DemoSummary> => {
  if (await storage.run(findDemo, null, { name: DEMO_WORKSPACE })) {
    throw new ApiError(
      'CONFLICT',
      `The workspace ${DEMO_WORKSPACE} already exists. To recreate it: ${PROGRAM} demo --reset. To remove it: ${PROGRAM} demo --remove.`,
    );
  }
  const { secretKeys, dataDir } = readConfig(process.env);
  const encryptor = await openEncryptor(storage, secretKeys, dataDir);
  const bar = progressBar('Filling');
  return fillDemo(storage, await encryptor.current(), {
    handlers: jobHandlers,
    onProgress: (records, total) => bar.update(records, total),
  }).finally(() => bar.end());
};

const formatSummary = (
  { contacts, agents, channels, calls, campaigns, user }: DemoSummary,
  url: string,
): string => {
  const count = (number: number) => number.toLocaleString('en');
  return `The workspace ${DEMO_WORKSPACE} has ${count(contacts)} contacts, ${agents} agents, ${channels} channels, ${count(calls)} calls and ${campaigns} campaigns. All of it is fictional.

Sign in as ${user.email}. This sign-in link works once and expires in 24 hours:

  ${url}

${OTHER_ADDRESS}
To create another link: ${PROGRAM} user link ${user.email} --workspace ${DEMO_WORKSPACE}
To remove the workspace: ${PROGRAM} demo --remove`;
};

export const demoCommand: Command = {
  usage,
  options,
  run: async ({ positionals, flag, json }) => {
    // --again is the former name of --reset.
    const isReset = flag('reset') || flag('again');
    if (positionals.length > 0 || (isReset && flag('remove'))) throw usageError(usage);
    await withStorage(
      async (storage) => {
        if (flag('remove')) {
          const removed = await remove(storage);
          const message = removed ? 'Removed the workspace' : 'There is no workspace';
          return print(json, { removed }, `${message} ${DEMO_WORKSPACE}.`);
        }
        if (isReset) await remove(storage);
        const { principal, ...filled } = await fill(storage);
        const { url_path, expires_at } = await storage.run(createLink, principal, filled.user);
        const url = linkUrl(url_path);
        const { contacts, agents, channels, calls, campaigns, user } = filled;
        return print(
          json,
          {
            workspace: DEMO_WORKSPACE,
            email: user.email,
            url,
            expires_at,
            contacts,
            agents,
            channels,
            calls,
            campaigns,
          },
          formatSummary({ principal, ...filled }, url),
        );
      },
      { mayCreate: !flag('remove') },
    );
  },
};
