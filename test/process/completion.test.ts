import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { commands } from '../../src/cli/commands.ts';
import { CLI, runRosterSync } from '../kit/process/cli.ts';

const scriptOf = (shell: string): string => {
  const { status, stdout, stderr } = runRosterSync({}, 'completion', shell);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
};

/** What bash offers after `typed`, whose last word may be incomplete. */
const offersOfBash = (script: string, ...typed: string[]): string[] =>
  execFileSync(
    'bash',
    [
      '-c',
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _roster; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ].concat(...['bash', 'roster', ...typed]),
    { encoding: 'utf8' },
  )
    .trim()
    .split('\n');

describe('roster completion', () => {
  it('bash completes commands, subcommands and options', () => {
    const script = scriptOf('bash');
    assert.deepEqual(offersOfBash(script, 'ca'), ['campaigns', 'calls']);
    assert.deepEqual(offersOfBash(script, 'agents', 'p'), ['pull', 'plan', 'push']);
    assert.deepEqual(offersOfBash(script, 'agents', 'push', '--de'), ['--deployed', '--deploy']);
    assert.deepEqual(offersOfBash(script, 'completion', ''), ['bash', 'zsh', 'fish', '--help']);
    for (const name of Object.keys(commands)) assert.ok(offersOfBash(script, name).includes(name), name);
  });

  for (const shell of ['zsh', 'fish'])
    it(`The script for ${shell} names every command, and ${shell} can parse it if it is installed`, () => {
      const script = scriptOf(shell);
      for (const name of Object.keys(commands)) assert.match(script, new RegExp(`[ ']${name}[ ')]`), name);
      const parsed = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' });
      if (parsed.error === undefined) assert.deepEqual([parsed.status, parsed.stderr], [0, '']);
    });

  it('An unknown shell is refused with the known ones', () => {
    const { status, stderr } = spawnSync(process.execPath, [CLI, 'completion', 'bsh'], { encoding: 'utf8' });
    assert.match(stderr, /^Did you mean bash\?\nUsage:\n {2}roster completion bash\n/);
    assert.equal(status, 2);
  });
});
