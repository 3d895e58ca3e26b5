import { type Command, describeOptions } from './command.ts';
import { printText } from './output.ts';

type Commands = Readonly<Record<string, Command>>;

const optionsOf = (command: Command): [string, string][] => Object.entries(describeOptions(command));

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

const bash = (commands: Commands): string => `_roster() {
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

const zsh = (commands: Commands): string => `#compdef roster
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

const fish = (commands: Commands): string =>
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

/** The completion scripts by their shell. */
export const completions = { bash, zsh, fish } as const;

/** `commands` returns every command, this one included. */
export const completionCommand = (commands: () => Commands): Command => ({
  forms: Object.fromEntries(
    Object.entries(completions).map(([shell, scriptOf]) => [
      `roster completion ${shell}`,
      [
        `Prints a script that completes commands and options in ${shell}.`,
        () => printText(scriptOf(commands())),
      ],
    ]),
  ),
});
