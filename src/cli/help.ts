import { variables } from '../config/config.ts';
import { secretVariables } from '../config/secret-variables.ts';
import { PROGRAM } from '../lib/executable.ts';
import { version } from '../lib/version.ts';
import { type Command, describeOptions, formatUsage } from './command.ts';

const formatList = (of: Readonly<Record<string, string>>): string => {
  const width = Math.max(...Object.keys(of).map((name) => name.length)) + 2;
  return Object.entries(of)
    .map(([name, description]) => `  ${name.padEnd(width)}${description}\n`)
    .join('');
};

/** The text of `roster COMMAND --help`. */
export const commandHelp = (command: Command): string => {
  const synopses = Object.entries(command.forms).map(
    ([form, [description]]) => `  ${form.replaceAll('\n', '\n  ')}\n      ${description}\n`,
  );
  const options = describeOptions(command);
  const list = Object.keys(options).length > 0 ? `\nOptions:\n${formatList(options)}` : '';
  return `Usage:\n${synopses.join('\n')}${list}`;
};

/** The text of `roster --help`: every command and every environment variable. */
export const help = (commands: Readonly<Record<string, Command>>): string =>
  `Roster ${version}: contacts and versioned AI agents.

Usage:
${Object.values(commands)
  .map(({ forms }) => formatUsage(forms))
  .join('\n')}

Run ${PROGRAM} COMMAND --help for the options of a command. --workspace defaults to "default".

Environment variables:
${formatList(variables)}
A file can contain a secret instead: NAME_FILE names it, for ${secretVariables.join(', ')}.
`;
