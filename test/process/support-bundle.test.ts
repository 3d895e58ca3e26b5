import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { it } from 'node:test';
import type { variables } from '../../src/config/config.ts';
import { emptyEngines } from '../kit/database/engines.ts';
import { runRoster } from '../kit/process/cli.ts';
import { fetchWithKey, withPrograms } from '../kit/process/program.ts';

/** Values that must not get into a bundle, by the variable that has them. */
const CANARIES: Partial<Record<keyof typeof variables, string>> = {
  ROSTER_SECRET_KEY: Buffer.alloc(32, 'canary').toString('base64'),
  ROSTER_API_KEY: 'canary-api-key-0123456789',
  ROSTER_KEY: 'canary-client-key',
  ROSTER_ADMIN_EMAIL: 'canary.person@example.com',
  ROSTER_ADMIN_PASSWORD: 'canary admin password',
  WEBHOOK_SECRET: 'canary-webhook-secret',
  BACKUP_PASSPHRASE: 'canary backup passphrase',
  AWS_ACCESS_KEY_ID: 'canary-access-key',
  AWS_SECRET_ACCESS_KEY: 'canary-secret-access-key',
  AWS_SESSION_TOKEN: 'canary-session-token',
  ROSTER_URL: 'https://canary.example.com',
};

for (const [name, engine] of Object.entries(emptyEngines))
  it(`A support bundle has versions, checks and metrics, but no secret and no record (${name})`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'roster-bundle-'));
    const database = await engine();
    try {
      const environment = { ...CANARIES, DATABASE_URL: database.url, ROSTER_DATA_DIR: join(folder, 'data') };
      mkdirSync(environment.ROSTER_DATA_DIR);
      await withPrograms(async (start) => {
        const { url } = await start(environment).ready();
        const created = await fetchWithKey(`${url}/v1/contacts`, CANARIES.ROSTER_API_KEY ?? '', {
          method: 'POST',
          body: JSON.stringify({
            phone_number: '+14155550123',
            first_name: 'Canaryname',
            notes: 'canary-note',
          }),
        });
        assert.equal(created.status, 201);
        const file = join(folder, 'bundle.json');
        const running = { ...environment, PORT: new URL(url).port };
        const { status, stderr } = await runRoster(running, 'support-bundle', file);
        assert.equal(status, 0, stderr);
        const text = readFileSync(file, 'utf8');
        const { settings, checks, metrics } = JSON.parse(text);
        assert.equal(settings.ROSTER_API_KEY, '(set)');
        assert.equal(settings.PORT, running.PORT);
        assert.ok(checks.some(({ subject }: { subject: string }) => subject === 'Schema'));
        assert.ok(metrics.some((line: string) => line.startsWith('roster_build_info')));
        const hidden = [...Object.values(CANARIES), 'Canaryname', 'canary-note', '4155550123'];
        assert.deepEqual(
          hidden.filter((value) => text.includes(value)),
          [],
        );
        assert.doesNotMatch(text, /canary/i);
        const again = await runRoster(running, 'support-bundle', file);
        assert.equal(again.status, 2);
      });
      const password = 'canary-password';
      const unreachable = `postgres://canaryuser:${password}@canary-host.invalid:5432/canarydb`;
      const broken = await runRoster({ DATABASE_URL: unreachable, PORT: '1' }, 'support-bundle');
      assert.equal(broken.status, 0, broken.stderr);
      assert.match(broken.stdout, /PostgreSQL cannot be reached at \(redacted\)/);
      assert.doesNotMatch(broken.stdout, /canary/i);
      writeFileSync(join(folder, 'url'), `${unreachable}\n`);
      const fromFile = await runRoster(
        { DATABASE_URL_FILE: join(folder, 'url'), PORT: '1' },
        'support-bundle',
      );
      assert.doesNotMatch(fromFile.stdout, /canary/i);
      const pathsToHide: Record<string, string>[] = [
        { ROSTER_DATA_DIR: relative(process.cwd(), join(folder, 'canary-folder')) },
        { ROSTER_ADMIN_PASSWORD_FILE: join(folder, 'canary-file') },
        {},
      ];
      for (const paths of pathsToHide) {
        const { stdout } = await runRoster({ ...paths, PORT: '1' }, 'support-bundle');
        assert.match(stdout, /\(redacted\)/);
        assert.equal(/canary/i.test(stdout) || stdout.includes(process.cwd()), false, stdout);
      }
    } finally {
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
