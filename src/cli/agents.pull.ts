import { existsSync } from 'node:fs';
import { PROGRAM } from '../lib/executable.ts';
import {
  folderFor,
  type LocalAgent,
  makeFolder,
  readAgents,
  requireUnedited,
  writeAgent,
} from './agents.folder.ts';
import { compare, listAgentIds, naming, type RemoteAgent, readRemote, type State } from './agents.state.ts';
import { ServiceError } from './client.ts';
import { type ParsedArgs, shellQuote, table } from './command.ts';
import { connect } from './connection.ts';

interface Pulled {
  readonly remote: RemoteAgent;
  readonly local?: LocalAgent;
  readonly state: State;
}

const refuseToOverwrite = (root: string, unpushed: readonly Pulled[]): ServiceError => {
  const describe = (state: State, problem: string): string[] => {
    const folders = unpushed.filter((each) => each.state === state).map(({ local }) => local?.folder);
    return folders.length > 0 ? [`${folders.join(', ')}: ${problem}.`] : [];
  };
  return new ServiceError(
    [
      ...describe('changed', 'changed here and not pushed'),
      ...describe('conflict', 'conflict: changed here and on the service'),
      'Nothing was written. Push your changes, or discard them with --force; to merge a conflict, commit them before.',
      `To see them: ${PROGRAM} agents plan ${shellQuote(root)}`,
    ].join('\n'),
  );
};

/** Writes the agents of a workspace to a folder. All of them are compared before the first one is written. */
export const pull = async (args: ParsedArgs): Promise<void> => {
  const [root = ''] = args.operands;
  const connection = connect(args, 'agents:read');
  const read = () => (existsSync(root) ? readAgents(root) : []);
  const locals = read();
  const known = locals.flatMap(({ id }) => id ?? []);
  const ids = new Set([...(await listAgentIds(connection)), ...known]);
  const pulled: Pulled[] = [];
  const results: { folder: string; id: string | null; version: string | null; result: string }[] = [];
  for (const id of ids) {
    const local = locals.find((each) => each.id === id);
    const work = async () => {
      const remote = await readRemote(connection, id, args.flag('deployed'));
      if (typeof remote !== 'string')
        pulled.push(local ? await compare(connection, local, remote) : { remote, state: 'new' });
      else if (local || remote === 'not deployed') {
        const result = remote === 'deleted' ? 'deleted on the service' : remote;
        results.push({ folder: local?.folder ?? '', id, version: null, result });
      }
    };
    await naming(local?.folder ?? id, work());
  }
  const unpushed = pulled.filter(({ state }) => state === 'changed' || state === 'conflict');
  if (unpushed.length > 0 && !args.flag('force')) throw refuseToOverwrite(root, unpushed);
  requireUnedited(root, locals, read());
  makeFolder(root);
  for (const { remote, local, state } of pulled) {
    const { id, version, name } = remote;
    const folder = local?.folder ?? folderFor(root, remote);
    writeAgent(root, { ...remote, folder, base: { version, name } }, local);
    results.push({ folder, id, version, result: state === 'unchanged' ? 'unchanged' : 'written' });
  }
  for (const { folder, id } of locals) {
    if (id === undefined) results.push({ folder, id: null, version: null, result: 'not pushed' });
  }
  const rows = results.map(({ folder, id, version, result }) => [
    folder || (id ?? ''),
    version ?? '',
    result,
  ]);
  args.print(results, table(['AGENT', 'VERSION', 'RESULT'], rows));
};
