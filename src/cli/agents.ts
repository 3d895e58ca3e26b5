import { plan } from './agents.plan.ts';
import { pull } from './agents.pull.ts';
import { push } from './agents.push.ts';
import type { Command } from './command.ts';
import { URL_OPTION } from './connection.ts';

export const agentsCommand: Command = {
  // `plan` exits with 2 if something differs.
  usageStatus: 64,
  forms: {
    'roster agents pull FOLDER [--deployed] [--force] [--url URL] [--json]': [
      'Writes all agents to a folder, for Git. Keeps changes of the folder that were not pushed.',
      pull,
    ],
    'roster agents plan FOLDER [--url URL] [--json]': [
      'Shows how a folder of agents differs from the service. Exits with status 2 if it does, 0 if not.',
      plan,
    ],
    'roster agents push FOLDER [--deploy] [--note TEXT] [--force] [--url URL] [--json]': [
      'Creates agents, and versions of those that have changed in the folder. Never deletes an agent.',
      push,
    ],
  },
  options: {
    ...URL_OPTION,
    deployed: 'Write the deployed versions instead of the newest ones.',
    force: 'Discard changes of the folder (pull), or push over those of the service (push).',
    deploy: 'Deploy the versions of the folder that are not deployed. Needs the scope agents:deploy.',
    note: 'What has changed and why, for the versions and the deploys.',
  },
};
