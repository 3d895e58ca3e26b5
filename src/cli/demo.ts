import { readConfig } from '../config.ts';
import type { Storage } from '../db/storage.ts';
import { DEMO_WORKSPACE, type Filled, fillDemo, findDemo } from '../features/demo/demo.service.ts';
import { removeSample } from '../features/demo/remove.service.ts';
import { makeLink } from '../features/workspaces/link.service.ts';
import { openSealer } from '../features/workspaces/secret-key.ts';
import { jobSteps } from '../handlers.ts';
import { ApiError } from '../lib/errors.ts';
import { AS_JSON, type Command, print, usageError, withStorage } from './command.ts';
import { linkUrl, OTHER_ADDRESS } from './link.ts';
import { progressBar } from './progress.ts';

const usage = {
  'roster demo [--again | --remove] [--json]':
    'Makes a workspace named demo with sample data, and prints a link that signs in to it.',
};

const options = {
  again: { type: 'boolean', means: 'remove the one that is there, and make it anew' },
  remove: { type: 'boolean', means: 'remove it, with what was added to it' },
  json: AS_JSON,
} as const;

/** Removes the sample data, where there is any. A workspace that only has its name is left alone. */
const remove = async (storage: Storage): Promise<boolean> => {
  const found = await storage.run(findDemo, null, null);
  if (!found) return false;
  if (!found.isSample) {
    throw new ApiError(
      'CONFLICT',
      `The workspace ${DEMO_WORKSPACE} was not made by this command, and stays as it is.`,
    );
  }
  const bar = progressBar('Removing');
  await removeSample(storage, found.id, (records) => bar.update(records)).finally(() => bar.end());
  return true;
};

const fill = async (storage: Storage): Promise<Filled> => {
  if (await storage.run(findDemo, null, null)) {
    throw new ApiError(
      'CONFLICT',
      `There is a workspace ${DEMO_WORKSPACE} already. To make it anew: npx roster demo --again. To remove it: npx roster demo --remove.`,
    );
  }
  const { secretKeys, dataDir } = readConfig(process.env);
  const sealer = await openSealer(storage, secretKeys, dataDir);
  const bar = progressBar('Filling');
  return fillDemo(storage, await sealer.current(), jobSteps, (records, total) =>
    bar.update(records, total),
  ).finally(() => bar.end());
};

const words = ({ contacts, agents, channels, calls, campaigns, user }: Filled, url: string): string => {
  const count = (number: number) => number.toLocaleString('en');
  return `The workspace ${DEMO_WORKSPACE} has ${count(contacts)} contacts, ${agents} agents, ${channels} channels, ${count(calls)} calls and ${campaigns} campaigns. None of it is real.

Sign in as ${user.email}; this link works once, within 24 hours:

  ${url}

${OTHER_ADDRESS}
For another link: npx roster user link ${user.email} --workspace ${DEMO_WORKSPACE}
To remove it all: npx roster demo --remove`;
};

/** Something to look at before there is something of one's own: a workspace apart from all others. */
export const demoCommand: Command = {
  usage,
  options,
  run: async ({ words: more, flag, json }) => {
    if (more.length > 0 || (flag('again') && flag('remove'))) throw usageError(usage);
    await withStorage(
      async (storage) => {
        if (flag('remove')) {
          const removed = await remove(storage);
          const said = removed ? 'Removed the' : 'There is no';
          return print(json, { removed }, `${said} workspace ${DEMO_WORKSPACE}.`);
        }
        if (flag('again')) await remove(storage);
        const { principal, ...filled } = await fill(storage);
        const { url_path, expires_at } = await storage.run(makeLink, principal, filled.user);
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
          words({ principal, ...filled }, url),
        );
      },
      { mayCreate: !flag('remove') },
    );
  },
};
