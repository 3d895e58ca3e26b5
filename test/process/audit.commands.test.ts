import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { runRosterSync } from '../kit/process/cli.ts';
import { type Json, startTestService } from '../kit/service/test-service.ts';

/** Control characters that a terminal interprets, except the line feed. */
const CONTROL_CHARACTERS = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

const roster = ({ url }: Pick<TestDatabase, 'url'>, ...args: string[]) =>
  runRosterSync({ DATABASE_URL: url }, ...args);

for (const engine of Object.keys(engines) as Database['engine'][]) {
  describe(`roster audit on ${engine}`, () => {
    it('roster audit shows who did what, including commands', async () => {
      const database = await engines[engine]();
      const service = await startTestService(database);
      const audit = (...args: string[]): Json[] => {
        const { status, stdout, stderr } = roster(database, 'audit', ...args, '--json');
        assert.equal(status, 0, stderr);
        return JSON.parse(stdout);
      };
      const contact = await makeContact(service, { first_name: 'Ada' });
      const key = JSON.parse(roster(database, 'key', 'create', '--name', 'ci', '--json').stdout);
      const user = JSON.parse(
        roster(database, 'user', 'create', '--email', 'ada@example.com', '--json').stdout,
      );
      roster(database, 'user', 'link', 'ada@example.com');
      roster(database, 'key', 'revoke', key.id);
      roster(database, 'key', 'revoke', key.id);
      const found = audit('--limit', '5').map(({ actor, action, subject, request_id }) => [
        actor.kind,
        action,
        subject.id,
        request_id === null,
      ]);
      assert.deepEqual(found, [
        ['command line', 'key.revoked', key.id, true],
        ['command line', 'link.created', user.id, true],
        ['command line', 'user.created', user.id, true],
        ['command line', 'key.created', key.id, true],
        ['environment', 'contact.created', contact.id, false],
      ]);
      assert.equal(audit('--actor', 'environment').length, 1);
      assert.equal(audit('--subject', key.id).length, 2);
      assert.equal(audit('--action', 'key.', '--limit', '1').length, 1);
      assert.equal(audit('--workspace', 'default', '--subject', 'nobody').length, 0);
      const { stdout } = roster(database, 'audit', '--limit', '5');
      assert.match(stdout, /^TIME +ACTOR +ACTION +RECORD +CHANGES +REQUEST\n/);
      assert.match(stdout, / command line +key\.revoked +ci\n/);
      assert.match(stdout, / environment +contact\.created +Ada +req_\w+\n$/);
      await service.stop();
      await database.drop();
    });

    it('roster audit escapes control characters of stored text', async () => {
      const database = await engines[engine]();
      const service = await startTestService(database);
      const first_name = 'A\u001b]0;title\u0007\u009b2J\u007f\u202e\r\nZ';
      await makeContact(service, { first_name });
      const output = roster(database, 'audit', '--limit', '1').stdout;
      assert.match(output, /A\\u001b\]0;title\\u0007\\u009b2J\\u007f\\u202e\\u000d\\u000aZ +req_/);
      assert.doesNotMatch(output, CONTROL_CHARACTERS);
      const json = roster(database, 'audit', '--limit', '1', '--json').stdout;
      assert.doesNotMatch(json, CONTROL_CHARACTERS);
      assert.equal(JSON.parse(json)[0].subject.name, first_name, 'JSON has the exact value');
      const refused = roster(database, 'audit', '--workspace', first_name).stderr;
      assert.match(refused, /A\\u001b\]0;title/);
      assert.doesNotMatch(refused, CONTROL_CHARACTERS);
      const exported = roster(database, 'export', '--format', 'jsonl').stdout;
      assert.equal(JSON.parse(exported).first_name, first_name);
      await service.stop();
      await database.drop();
    });
  });
}

it('Every command writes to the terminal through src/cli/output.ts', () => {
  const folder = new URL('../../src/cli/', import.meta.url);
  const writers = globSync('**/!(*.test).ts', { cwd: folder })
    .sort()
    .filter((file) =>
      /console\.|process\.std(?:out|err)\.write\((?!'|`\\r)/.test(
        readFileSync(new URL(file, folder), 'utf8'),
      ),
    );
  assert.deepEqual(
    writers,
    ['import.run.ts', 'output.ts', 'progress.ts'],
    'a log and a progress bar write themselves',
  );
});

describe('roster audit', () => {
  it('roster audit rejects unknown arguments with a message', () => {
    const database = { url: 'sqlite:/nowhere' };
    for (const [args, output] of [
      [['contacts'], /roster audit \[--workspace W\]/],
      [['--limit', '0'], /--limit must be a whole number from 1 to 100/],
      [['--who', 'me'], /Unknown option/],
    ] as const) {
      const { status, stderr } = roster(database, 'audit', ...args);
      assert.equal(status, 2, stderr);
      assert.match(stderr, output);
    }
  });
});
