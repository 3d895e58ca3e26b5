import { formatDifference, plan } from './agents.plan.ts';
import { pull } from './agents.pull.ts';
import { push } from './agents.push.ts';
import { agentPath } from './agents.state.ts';
import type { Command, ParsedArgs } from './command.ts';
import { jsonBody, requestForm, resourceForms, resourceOptions } from './resources.ts';

/** A path below the version that the operands name. */
const versionPath = ({ operands: [id = '', version = ''] }: ParsedArgs, path: string): string =>
  agentPath(id, `/versions/${encodeURIComponent(version)}${path}`);

export const agentsCommand: Command = {
  // `plan` exits with 2 if something differs.
  usageStatus: 64,
  forms: {
    ...resourceForms('agents'),
    'roster agents deploy ID VERSION [--note TEXT] [--confirm-unknown-variables] [--url URL] [--json]':
      requestForm({
        description: 'Deploys a version, for example v3. An older one is a rollback.',
        scopes: 'agents:deploy',
        request: (args) => {
          const note = args.text('note') ?? null;
          const confirm_unknown_variables = args.flag('confirm-unknown-variables');
          const body = JSON.stringify({ note, confirm_unknown_variables });
          return { method: 'POST', path: versionPath(args, '/deploy'), body };
        },
      }),
    'roster agents diff ID FROM TO [--url URL] [--json]': requestForm({
      description: 'Shows how the instructions and the config of two versions differ.',
      scopes: 'agents:read',
      request: ({ operands: [id = '', from = '', to = ''] }) => ({
        method: 'GET',
        path: agentPath(id, `/versions/${encodeURIComponent(to)}/diff`),
        query: { from },
      }),
      format: (data) => formatDifference(data).trimEnd(),
    }),
    'roster agents render ID VERSION [--set NAME=VALUE]… [--file FILE] [--url URL] [--json]': requestForm({
      description:
        'Prints the instructions of a version with the values of a contact, such as --set contact_id=ID.',
      scopes: 'agents:read,contacts:read',
      request: (args) => ({ method: 'POST', path: versionPath(args, '/render'), body: jsonBody(args) }),
      format: ({ text }) => text,
      isExact: true,
    }),
    'roster agents pull FOLDER [--deployed] [--force] [--url URL] [--json]': [
      'Writes all agents to a folder, for Git. Refuses to overwrite changes that were not pushed.',
      pull,
    ],
    'roster agents plan FOLDER [--url URL] [--json]': [
      'Shows how a folder of agents differs from the service. Exits with status 2 if it does, 0 if not.',
      plan,
    ],
    [`roster agents push FOLDER [--deploy] [--confirm-unknown-variables] [--note TEXT]
                          [--force] [--url URL] [--json]`]: [
      'Creates agents, and versions of those that have changed in the folder. Never deletes an agent.',
      push,
    ],
  },
  options: {
    ...resourceOptions('agents'),
    deployed: 'Write the deployed versions instead of the newest ones.',
    force: 'Discard changes of the folder (pull), or push over those of the service (push).',
    deploy:
      'Deploy the versions that this creates, and those that were never deployed. Needs the scope agents:deploy.',
    note: 'What has changed and why, for the versions and the deploys.',
    'confirm-unknown-variables': 'Deploy instructions with unknown variables.',
  },
};
