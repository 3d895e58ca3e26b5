import { type Command, describeOptions } from '../../src/cli/command.ts';

type Commands = Readonly<Record<string, Command>>;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\e', '-': '\\-', '…': '...' };
const escapeRoff = (text: string): string =>
  text.replace(/[\\\-…]/g, (character) => ESCAPES[character] as string).replace(/^(?=[.'])/gm, '\\&');

const term = (name: string, description: string): string =>
  `.TP\n\\fB${escapeRoff(name)}\\fR\n${escapeRoff(description)}\n`;

const optionsOf = (command: Command): [string, string][] => Object.entries(describeOptions(command));

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

/** The words that can follow a command: `key create`, `key list`. */
const subcommands = (name: string, { forms }: Command): string[] => [
  ...new Set(
    Object.keys(forms).flatMap((form) => {
      const [, , word = ''] = form.split(/\s+/);
      return form.startsWith(`roster ${name} `) && /^[a-z]+$/.test(word) ? [word] : [];
    }),
  ),
];

const wordsOf = (name: string, command: Command): string[] => [
  ...subcommands(name, command),
  ...optionsOf(command).map(([option]) => option),
  '--help',
];

const all = (commands: Commands): string[] => [...Object.keys(commands), '--help', '--version'];

export const bashCompletion = (commands: Commands): string => `_roster() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${all(commands).join(' ')}"
  else
    case "\${COMP_WORDS[1]}" in
${Object.entries(commands)
  .map(([name, command]) => `      ${name}) words="${wordsOf(name, command).join(' ')}" ;;\n`)
  .join('')}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _roster roster
`;

export const zshCompletion = (commands: Commands): string => `#compdef roster
if (( CURRENT == 2 )); then
  compadd -- ${all(commands).join(' ')}
else
  case "$words[2]" in
${Object.entries(commands)
  .map(([name, command]) => `    ${name}) compadd -- ${wordsOf(name, command).join(' ')} ;;\n`)
  .join('')}  esac
  _files
fi
`;

const quoteFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export const fishCompletion = (commands: Commands): string =>
  [
    `complete -c roster -n __fish_use_subcommand -f -a '${Object.keys(commands).join(' ')}'`,
    ...Object.entries(commands).flatMap(([name, command]) => [
      ...subcommands(name, command).map(
        (word) => `complete -c roster -n '__fish_seen_subcommand_from ${name}' -f -a ${word}`,
      ),
      ...optionsOf(command).map(
        ([option, text]) =>
          `complete -c roster -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)} -d ${quoteFish(text)}`,
      ),
    ]),
    '',
  ].join('\n');
