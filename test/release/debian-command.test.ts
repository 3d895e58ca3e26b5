import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'roster-debian-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, name);
const writeProgram = (name: string, text: string) => writeFileSync(path(name), text, { mode: 0o755 });

/** Runs the command of the Debian package with a configuration. Returns the environment and the arguments of the program. */
const run = (configuration: string, ...parameters: string[]) => {
  writeFileSync(path('roster.env'), configuration);
  writeProgram('program', '#!/bin/sh\nprintf "ARGUMENT=%s\\0" "$@"\nexec env -0\n');
  // As root, the command changes to a user that exists only where the package is installed.
  writeProgram('runuser', '#!/bin/sh\nshift 3\nexec "$@"\n');
  const command = readFileSync('deploy/debian/roster.sh', 'utf8')
    .replaceAll('/etc/roster/roster.env', path('roster.env'))
    .replaceAll('/usr/lib/roster/roster', path('program'));
  writeProgram('command', command);
  const output = execFileSync(path('command'), parameters, {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  const entries = output
    .split('\0')
    .slice(0, -1)
    .map((entry): [string, string] => [
      entry.slice(0, entry.indexOf('=')),
      entry.slice(entry.indexOf('=') + 1),
    ]);
  return Object.fromEntries(entries);
};

describe('Command of the Debian package', () => {
  it('The command reads its configuration as systemd does and executes no part of it', () => {
    const environment = run(
      `# A comment; touch executed
; Another comment
  # An indented comment

BACKUP_SCHEDULE=30 3 * * *
DATABASE_URL=postgres://user:p$HOME@host/db?a=b&c=d
COMMANDS=$(touch executed) \`touch executed\`; touch executed | touch executed
DOUBLE="two  words"
SINGLE='it is "quoted" $PATH'
INNER=say "yes"
 PADDED =  padded\t
EMPTY=
BACKSLASH=a\\b
CARRIAGE_RETURN=x\r
NO ASSIGNMENT; touch executed
BAD-NAME=1
1BAD=1
a$(touch executed)=1
LAST=without a line break`,
      'key',
      'two words',
    );
    assert.equal(existsSync(path('executed')), false);
    const { PATH, PWD, OLDPWD, SHLVL, _, ...rest } = environment;
    assert.deepEqual(rest, {
      BACKUP_SCHEDULE: '30 3 * * *',
      DATABASE_URL: 'postgres://user:p$HOME@host/db?a=b&c=d',
      COMMANDS: '$(touch executed) `touch executed`; touch executed | touch executed',
      DOUBLE: 'two  words',
      SINGLE: 'it is "quoted" $PATH',
      INNER: 'say "yes"',
      PADDED: 'padded',
      EMPTY: '',
      BACKSLASH: 'a\\b',
      CARRIAGE_RETURN: 'x',
      LAST: 'without a line break',
      ARGUMENT: 'two words',
    });
  });

  it('Every example in the shipped configuration works when it is uncommented', () => {
    const shipped = readFileSync('deploy/debian/roster.env', 'utf8');
    const environment = run(shipped.replaceAll(/^#(?=[A-Z_]+=)/gm, ''));
    assert.equal(environment.BACKUP_SCHEDULE, '30 3 * * *');
    assert.equal(environment.DATABASE_URL, 'postgres://user:password@host/database');
    assert.equal(environment.ROSTER_DATA_DIR, '/var/lib/roster');
  });
});
