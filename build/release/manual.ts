import { type Command, describeOptions } from '../../src/cli/command.ts';

type Commands = Readonly<Record<string, Command>>;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\e', '-': '\\-', '…': '...' };
const escapeRoff = (text: string): string =>
  text.replace(/[\\\-…]/g, (character) => ESCAPES[character] as string).replace(/^(?=[.'])/gm, '\\&');

const term = (name: string, description: string): string =>
  `.TP\n\\fB${escapeRoff(name)}\\fR\n${escapeRoff(description)}\n`;

const optionsOf = (command: Command) => Object.entries(describeOptions(command));

const section = (name: string, command: Command): string => {
  const forms = Object.entries(command.forms).map(([form, [text]]) => term(form.replace(/\s+/g, ' '), text));
  const options = optionsOf(command).map(([option, text]) => `.RS\n${term(option, text)}.RE\n`);
  return `.SS ${name}\n${forms.join('')}${options.join('')}`;
};

/** The man page roster(1). */
export const manPage = (
  commands: Commands,
  variables: Readonly<Record<string, string>>,
  version: string,
  time: Date,
): string => `.TH ROSTER 1 "${time.toISOString().slice(0, 10)}" "Roster ${version}" "User Commands"
.SH NAME
roster \\- contacts and versioned AI agents, with a REST API and a dashboard
.SH SYNOPSIS
.B roster
.I command
.RI [ options ]
.SH COMMANDS
${Object.entries(commands)
  .map(([name, command]) => section(name, command))
  .join('')}.SH ENVIRONMENT
${Object.entries(variables)
  .map(([name, text]) => term(name, text))
  .join('')}.SH FILES
${term('/etc/roster/roster.env', 'The environment variables of the service.')}${term(
  '/var/lib/roster',
  'The data folder of the service.',
)}.SH EXIT STATUS
0 after success, 2 for an invalid command line (64 for agents, because agents plan exits with 2 if something differs), 1 for any other error.
`;
