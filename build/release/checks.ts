import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What must be true before a release; each returns what is wrong, or undefined. */
export type ReleaseCheck = (root: string) => string | undefined;

const read = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');
const git = (root: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

export const versionOf = (root: string): string => JSON.parse(read(root, 'package.json')).version;

/** Every file that states the version of the program. */
const statedVersions = (root: string): Readonly<Record<string, string | undefined>> => {
  const chart = read(root, 'deploy/helm/Chart.yaml');
  return {
    'package-lock.json': JSON.parse(read(root, 'package-lock.json')).version,
    'sdk/package.json': JSON.parse(read(root, 'sdk/package.json')).version,
    'sdk/n8n/package.json': JSON.parse(read(root, 'sdk/n8n/package.json')).version,
    'sdk/src/version.ts': /VERSION = '(.+)';/.exec(read(root, 'sdk/src/version.ts'))?.[1],
    'sdk/python/src/roster_client/version.py': /VERSION = "(.+)"/.exec(
      read(root, 'sdk/python/src/roster_client/version.py'),
    )?.[1],
    'version in deploy/helm/Chart.yaml': /^version: (.+)$/m.exec(chart)?.[1],
    'appVersion in deploy/helm/Chart.yaml': /^appVersion: (.+)$/m.exec(chart)?.[1],
    'docs/openapi.json': JSON.parse(read(root, 'docs/openapi.json')).info.version,
    'docs/openapi.dashboard.json': JSON.parse(read(root, 'docs/openapi.dashboard.json')).info.version,
  };
};

/** The section of a version in the changelog, from its heading to the next one. */
const changelogSection = (root: string, version: string): string | undefined =>
  read(root, 'CHANGELOG.md')
    .split(/^(?=## )/m)
    .find((section) => section.startsWith(`## [${version}] - `));

export const checks: Readonly<Record<string, ReleaseCheck>> = {
  'All files state the same version': (root) => {
    const version = versionOf(root);
    const others = Object.entries(statedVersions(root)).filter(([, stated]) => stated !== version);
    return others.length === 0
      ? undefined
      : `package.json has ${version}, but ${others.map(([file, stated]) => `${file} has ${stated}`).join(', ')}.`;
  },

  'The changelog has the version, its date and upgrade notes': (root) => {
    const version = versionOf(root);
    const section = changelogSection(root, version);
    if (!section) return `CHANGELOG.md needs a heading "## [${version}] - YYYY-MM-DD".`;
    if (!/^## \[.+\] - \d{4}-\d{2}-\d{2}\n/.test(section))
      return 'The date in the heading is not YYYY-MM-DD.';
    return /^### Upgrade notes$/m.test(section)
      ? undefined
      : `${version} needs a section "### Upgrade notes".`;
  },

  'A database of this version is among the upgrade fixtures': (root) =>
    existsSync(join(root, 'test/upgrade/fixtures', versionOf(root)))
      ? undefined
      : `Run: npm exec -- node test/upgrade/make-fixture.ts ${versionOf(root)}`,

  'Everything is committed': (root) => {
    const changed = git(root, 'status', '--porcelain');
    return changed === '' ? undefined : `Commit or remove:\n${changed}`;
  },

  'The version has no tag, or its tag is this commit': (root) => {
    const tag = `v${versionOf(root)}`;
    if (git(root, 'tag', '--list', tag) === '') return undefined;
    return git(root, 'rev-list', '-1', tag) === git(root, 'rev-parse', 'HEAD')
      ? undefined
      : `The tag ${tag} is another commit. Raise the version.`;
  },
};
