import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStorage } from '../../src/db/open/open.ts';
import { emptyEngines, type TestDatabase } from '../kit/database/engines.ts';
import { differences, dumpTables } from '../kit/database/table-dump.ts';
import { runRoster } from '../kit/process/cli.ts';
import { environmentOf, move, newSource } from '../kit/process/move.ts';

const other = { sqlite: 'postgres', postgres: 'sqlite' } as const;

/** What only the copy has. */
const DAMAGE = {
  sqlite: ['create trigger odd after delete on contacts begin select 1; end', 'drop trigger odd'],
  postgres: ['create rule odd as on delete to contacts do also nothing', 'drop rule odd on contacts'],
} as const;

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`Checks of a move from ${engine} to ${other[engine]}`, () => {
    let source: TestDatabase;
    let target: TestDatabase;
    before(async () => {
      [source, target] = await Promise.all([newSource(engine), emptyEngines[other[engine]]()]);
      await source.query(
        `insert into tallies (workspace_id, list, part, count) select id, 'agents', 0, 5 from workspaces`,
      );
    });
    after(() => Promise.all([source, target].map((each) => each?.drop())));
    const start = async () => (await openStorage(target.database, { onFault: () => {} })).close();

    it('A copy that fails checks is finished only with --accept-failed-checks', async () => {
      const failed = await move(source, target, '--json');
      assert.equal(failed.status, 1);
      assert.equal(JSON.parse(failed.stdout).ok, false);
      assert.match(
        failed.stderr,
        /^The copy equals the source, but checks fail\. The move is not finished\..*\nFAILED stored counters match/m,
      );
      await assert.rejects(start(), /is the target of a move that has not finished/);

      const [damage, repair] = DAMAGE[other[engine]];
      await target.query(damage);
      const damaged = await move(source, target, '--accept-failed-checks');
      assert.equal(damaged.status, 1, damaged.stdout);
      assert.match(damaged.stderr, /^The rows of the copy equal the source, but the copy is damaged\./m);
      await assert.rejects(start(), /is the target of a move that has not finished/);
      await target.query(repair);

      const accepted = await move(source, target, '--accept-failed-checks');
      assert.equal(accepted.status, 0, accepted.stderr);
      assert.match(accepted.stdout, /^1 of \d+ checks failed\.\nStart the service with DATABASE_URL/m);
      assert.match(accepted.stderr, /^These checks fail on the copy, which equals the source:\nFAILED /m);
      await start();
    });
  });
}

describe('Move from PostgreSQL to PostgreSQL', () => {
  let source: TestDatabase;
  let target: TestDatabase;
  before(async () => {
    [source, target] = await Promise.all([newSource('postgres'), emptyEngines.postgres()]);
  });
  after(() => Promise.all([source, target].map((each) => each?.drop())));

  it('MOVE_TO_DATABASE_URL selects the target, and every row arrives unchanged', async () => {
    const run = (url: string) => runRoster({ ...environmentOf(source), MOVE_TO_DATABASE_URL: url }, 'move');
    const wrong = await run('mysql://host/db');
    assert.equal(wrong.status, 1);
    assert.match(wrong.stderr, /^MOVE_TO_DATABASE_URL must start with postgres:\/\/ or be sqlite:/);
    const { status, stderr } = await run(target.url);
    assert.equal(status, 0, stderr);
    assert.deepEqual(differences(await dumpTables(source), await dumpTables(target)), []);
    const full = await run(target.url);
    assert.match(full.stderr, /^The target already contains data\. Choose an empty database\.$/m);
  });
});
