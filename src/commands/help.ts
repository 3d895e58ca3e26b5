import { variables } from '../config.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';

/** What `roster --help` says: every command and every variable of the environment. */
export const help = (commands: Readonly<Record<string, Command>>): string => {
  const usage = Object.values(commands).flatMap((command) => command.usage);
  const width = Math.max(...Object.keys(variables).map((name) => name.length)) + 2;
  return `Roster ${version}: contacts, and agents whose instructions are versioned.

Commands
${usage.map((line) => `  ${line}`).join('\n')}

The workspace, key, user, import, audit, backup, restore, verify and demo commands take --json. --workspace is "default" where it is not given.

Environment
${Object.entries(variables)
  .map(([name, meaning]) => `  ${name.padEnd(width)}${meaning}`)
  .join('\n')}
`;
};
