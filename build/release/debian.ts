import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { commands } from '../../src/cli/commands.ts';
import { completions } from '../../src/cli/completion.ts';
import { variables } from '../../src/config/config.ts';
import { normalizeModes } from './archive.ts';
import { manPage } from './manual.ts';
import type { ReleaseFiles } from './package.ts';

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
export const debianArchitecture = (): string => ARCHITECTURES[process.arch] ?? process.arch;

/** A pre-release sorts before its release: 1.0.0-rc.1 is 1.0.0~rc.1. */
const debianVersion = (version: string): string => version.replace('-', '~');

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

/** Makes the Debian package: the executable, a systemd unit, a man page and shell completions. */
export const buildDebianPackage = (
  { root, version, time, licenses }: ReleaseFiles,
  executable: string,
  target: string,
  workFolder: string,
): void => {
  const folder = join(workFolder, 'debian');
  const source = (name: string) => join(root, 'deploy/debian', name);
  const put = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const compressed = (text: string | Buffer) => gzipSync(text, { level: 9 });
  put('usr/bin/roster', readFileSync(source('roster.sh')));
  put('etc/roster/roster.env', readFileSync(source('roster.env')));
  put('lib/systemd/system/roster.service', readFileSync(source('roster.service')));
  put('usr/share/man/man1/roster.1.gz', compressed(manPage(commands, variables, version, time)));
  put('usr/share/bash-completion/completions/roster', completions.bash(commands));
  put('usr/share/zsh/vendor-completions/_roster', completions.zsh(commands));
  put('usr/share/fish/vendor_completions.d/roster.fish', completions.fish(commands));
  put('usr/share/doc/roster/changelog.gz', compressed(readFileSync(join(root, 'CHANGELOG.md'))));
  put('usr/share/doc/roster/copyright', `${readFileSync(join(root, 'LICENSE'), 'utf8')}\n${licenses}`);
  mkdirSync(join(folder, 'usr/lib/roster'), { recursive: true });
  cpSync(executable, join(folder, 'usr/lib/roster/roster'));
  const installedKilobytes = Math.ceil(sizeOf(folder) / 1024);
  for (const script of ['postinst', 'prerm', 'postrm']) put(`DEBIAN/${script}`, readFileSync(source(script)));
  put('DEBIAN/conffiles', '/etc/roster/roster.env\n');
  put(
    'DEBIAN/control',
    `Package: roster
Version: ${debianVersion(version)}
Architecture: ${debianArchitecture()}
Maintainer: The Roster maintainers <maintainers@roster.invalid>
Installed-Size: ${installedKilobytes}
Depends: adduser, libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6, util-linux
Section: net
Priority: optional
Description: contacts and versioned AI agents, with a REST API and a dashboard
 Roster is a self-hosted service for teams that run AI voice and chat agents.
 It stores contacts and agents in SQLite or PostgreSQL.
`,
  );
  const scripts = ['DEBIAN/postinst', 'DEBIAN/prerm', 'DEBIAN/postrm'];
  normalizeModes(folder, [...scripts, 'usr/bin/roster', 'usr/lib/roster/roster']);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '--build', folder, target], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(Math.floor(time.getTime() / 1000)) },
  });
};
