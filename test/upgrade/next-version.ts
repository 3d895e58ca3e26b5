import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SCHEMA_VERSION } from '../../src/db/migrations/index.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The earlier version that serves next to this one: the first commit with a drain time and with the schema of 0.1.0. Version
 *  0.1.0 itself closes its port immediately when it stops. To be the tag of the previous release from 1.0.0 on. */
const PREVIOUS = 'e3a174571abe0140d4e7e77ed92b4f8a1f4d1045';

/** A migration as a minor version may have it: it only adds. */
const ADDITIVE = [
  'alter table contacts add column later_note text',
  'alter table agents add column later_rank int not null default 0',
  'alter table calls add column later_cost int',
  'create index contacts_later on contacts (workspace_id, later_note) where later_note is not null',
  'create table later_records (workspace_id bigint not null, id text not null, primary key (workspace_id, id))',
];

const sourceOf = (statements: readonly string[]) => `import type { Migration } from './migration.ts';

export const additive: Migration = {
  version: ${SCHEMA_VERSION + 1},
  name: 'an additive migration of a later version',
  statements: () => ${JSON.stringify(statements)},
};
`;

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-version-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

/** A copy of this version that has one more migration. It runs from the sources. */
export const copyWithMigration = (statements: readonly string[] = ADDITIVE): string => {
  const folder = newFolder();
  for (const name of ['src', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  const migrations = join(folder, 'src/db/migrations');
  writeFileSync(join(migrations, '9999_additive.ts'), sourceOf(statements));
  const index = readFileSync(join(migrations, 'index.ts'), 'utf8');
  const changed = index.replace(/(?<=const migrations[^;]*),?\s*\];/, ', additive];');
  if (changed === index) throw new Error('The list of migrations has another form.');
  writeFileSync(join(migrations, 'index.ts'), `import { additive } from './9999_additive.ts';\n${changed}`);
  return folder;
};

/** The sources of the previous release, from the history of this checkout. */
export const checkOutPrevious = (): string => {
  try {
    execFileSync('git', ['cat-file', '-e', `${PREVIOUS}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
  } catch {
    throw new Error(
      `This test needs the commit ${PREVIOUS} of the previous release. Run it in a checkout with full history (git fetch --unshallow).`,
    );
  }
  const folder = newFolder();
  const paths = ['src', 'package.json', 'package-lock.json'];
  const archive = execFileSync('git', ['archive', PREVIOUS, ...paths], {
    cwd: ROOT,
    maxBuffer: 64 * 1_048_576,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const [theirs, ours] = [folder, ROOT].map(
    (each) => JSON.parse(readFileSync(join(each, 'package.json'), 'utf8')).dependencies,
  );
  if (Object.entries(theirs).some(([name, version]) => ours[name] !== version)) {
    rmSync(join(folder, 'node_modules'));
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: folder, stdio: 'ignore' });
  }
  return folder;
};

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
