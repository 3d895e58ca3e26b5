import { differenceOfTexts } from '../features/agents/version.difference.ts';
import { requireAgents, sameConfig, sameVersion } from './agents.folder.ts';
import { type Comparison, compareAll, type State } from './agents.state.ts';
import type { ParsedArgs } from './command.ts';
import { connect } from './connection.ts';

/** The exit status of `plan` if a folder and the service differ. */
const DIFFERENT = 2;

interface Difference {
  readonly unified: string;
  readonly config: {
    readonly changes: readonly { path: string; change: string; before?: unknown; after?: unknown }[];
  };
}

const SIGNS: Readonly<Record<string, string>> = { added: '+', removed: '-', changed: '~' };

/** The changed lines of the instructions, and the changed members of the config by their paths. */
export const formatDifference = ({ unified, config }: Difference): string => {
  const members = config.changes.map(({ path, change, before, after }) => {
    const values = [before, after].filter((value) => value !== undefined);
    return `${SIGNS[change]} config${path}: ${values.map((value) => JSON.stringify(value)).join(' → ')}\n`;
  });
  return `${unified}${members.join('')}`;
};

/** How a push would change the agent; of one that is behind, how a pull would change the folder. */
const differenceOf = ({ local, remote, state }: Comparison) => {
  const folder = { ...local, version_label: `${local.folder}/instructions.md` };
  const service = { ...remote, version_label: remote?.version ?? '/dev/null' };
  const text = { instructions: '', config: '{}', ...service };
  const [older, newer] = state === 'behind' ? [folder, text] : [text, folder];
  const { unified, config } = differenceOfTexts(older, newer);
  return { name: { before: remote?.name ?? null, after: local.name }, unified, config };
};

const DESCRIPTIONS: Readonly<Record<State, string>> = {
  new: 'new. A push creates it.',
  unchanged: 'unchanged.',
  changed: 'changed. A push updates it.',
  behind: 'behind. A pull updates the folder.',
  conflict: 'conflict. It was changed here and on the service since the last pull or push.',
  deleted: 'deleted on the service. The folder remains.',
};

/** Whether `push --deploy` deploys a version: one that it creates, or that was never deployed. */
const isDeployedByPush = ({ local, remote, state }: Comparison): boolean => {
  if (state === 'new') return true;
  if (!remote || (state !== 'changed' && state !== 'unchanged')) return false;
  return remote.isDraft || !sameVersion(local, remote);
};

export const describe = (comparison: Comparison): string => {
  const { local, remote, state } = comparison;
  const versions = [
    local.base && `folder ${local.base.version}`,
    remote && `service ${remote.version}`,
    remote && remote.deployed !== remote.version && `deployed ${remote.deployed ?? 'none'}`,
  ];
  const known = versions.filter(Boolean).join(', ');
  const deploy = isDeployedByPush(comparison) ? ' push --deploy deploys it.' : '';
  return `${local.folder}: ${DESCRIPTIONS[state]}${deploy}${known && ` (${known})`}`;
};

const format = (comparison: Comparison): string => {
  const { local, remote, state } = comparison;
  const title = `${describe(comparison)}\n`;
  if (state === 'unchanged' || state === 'deleted') return title;
  const isRenamed = remote && remote.name !== local.name;
  const rename = isRenamed
    ? `~ name: ${JSON.stringify(remote.name)}, here ${JSON.stringify(local.name)}\n`
    : '';
  const difference = differenceOf(comparison);
  const isRewritten = difference.config.changes.length === 0 && remote && !sameConfig(local, remote);
  const rewrite = isRewritten ? '~ config: equal values, in another order or form (such as 1.0 and 1)\n' : '';
  return `${title}${rename}${formatDifference(difference)}${rewrite}`;
};

export const plan = async (args: ParsedArgs): Promise<void> => {
  const [root = ''] = args.operands;
  const locals = requireAgents(root);
  const comparisons = await compareAll(connect(args, 'agents:read'), locals);
  if (comparisons.some(({ state }) => state !== 'unchanged')) process.exitCode = DIFFERENT;
  const results = comparisons.map((comparison) => ({
    folder: comparison.local.folder,
    id: comparison.local.id ?? null,
    state: comparison.state,
    folder_version: comparison.local.base?.version ?? null,
    service_version: comparison.remote?.version ?? null,
    deployed_version: comparison.remote?.deployed ?? null,
    deploys: isDeployedByPush(comparison),
    difference: comparison.state === 'deleted' ? null : differenceOf(comparison),
  }));
  args.print(results, comparisons.map(format).join('').trimEnd());
};
