import { variables } from '../config.ts';
import { version } from '../version.ts';
import { type Command, formsOf } from './command.ts';

/** Names with their meanings beside them, which begin in one column. */
const meanings = (of: Readonly<Record<string, string>>): string => {
  const width = Math.max(...Object.keys(of).map((name) => name.length)) + 2;
  return Object.entries(of)
    .map(([name, meaning]) => `  ${name.padEnd(width)}${meaning}\n`)
    .join('');
};

/** What `roster COMMAND --help` says: what each form does, and what the options mean. */
export const helpOf = ({ usage, options }: Command): string => {
  const forms = Object.entries(usage).map(([form, does]) => `${form}\n    ${does}\n`);
  const told = Object.entries(options).map(([name, { means }]) => [`--${name}`, means]);
  return forms.join('\n') + (told.length > 0 ? `\n${meanings(Object.fromEntries(told))}` : '');
};

/** What `roster --help` says: every command and every variable of the environment. */
export const help = (commands: Readonly<Record<string, Command>>): string =>
  `Roster ${version}: contacts, and agents whose instructions are versioned.

Commands
${Object.values(commands)
  .map(({ usage }) => formsOf(usage))
  .join('\n')}

After a command, --help says what it does. --workspace is "default" where it is not given.

Environment
${meanings(variables)}`;
