import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { createContact } from '../../src/features/contacts/contact.service.ts';
import { listContacts } from '../../src/features/contacts/list.service.ts';
import { createWorkspace } from '../../src/features/workspaces/workspace.service.ts';
import { emptyEngines, engines, type TestDatabase } from '../kit/database/engines.ts';
import { differences, dumpTables } from '../kit/database/table-dump.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { fillEveryTable } from '../kit/fixtures/every-table.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { runRoster } from '../kit/process/cli.ts';
import { environmentOf, move, newSource } from '../kit/process/move.ts';

const other = { sqlite: 'postgres', postgres: 'sqlite' } as const;

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`Move from ${engine} to ${other[engine]} and back`, () => {
    let source: TestDatabase;
    let target: TestDatabase;
    let final: TestDatabase;
    before(async () => {
      [source, target, final] = await Promise.all([
        engines[engine](),
        emptyEngines[other[engine]](),
        emptyEngines[engine](),
      ]);
      await fillEveryTable(source);
    });
    after(() => Promise.all([source, target, final].map((each) => each?.drop())));

    it('A round trip returns every row of every table unchanged, and the copies pass all checks', async () => {
      const original = await dumpTables(source);
      const empty = Object.keys(original).filter((name) => original[name]?.length === 0);
      assert.deepEqual(empty, [], 'add rows of new tables to fillEveryTable');
      const bytes = engine === 'sqlite' ? readFileSync(source.url.replace('sqlite:', '')) : undefined;

      const there = await move(source, target, '--json');
      assert.equal(there.status, 0, there.stderr);
      const { ok, rows, tables, checks } = JSON.parse(there.stdout);
      assert.equal(ok, true);
      assert.ok(checks.length > 20);
      assert.equal(
        rows,
        tables.reduce((sum: number, table: { rows: number }) => sum + table.rows, 0),
      );
      const moved = tables.map(({ name }: { name: string }) => name);
      const notMoved = Object.keys(original).filter((name) => !moved.includes(name));
      assert.deepEqual(
        notMoved,
        engine === 'sqlite' ? ['migrations', 'sqlite_sequence'] : ['migrations'],
        'every table is moved',
      );
      const back = await move(target, final);
      assert.equal(back.status, 0, back.stderr);
      for (const step of ['Copying', 'Comparing'])
        assert.equal(
          back.stderr.match(new RegExp(`^${step}: 100 %, [\\d,]+ rows, [\\d,]+ per second$`, 'gm'))?.length,
          1,
          back.stderr,
        );
      assert.match(back.stdout, /Every table equals the source\.\nAll \d+ checks passed\./);
      assert.deepEqual(differences(original, await dumpTables(final)), []);
      assert.deepEqual(differences(original, await dumpTables(source)), [], 'the source is unchanged');
      if (bytes) assert.ok(bytes.equals(readFileSync(source.url.replace('sqlite:', ''))));
    });

    it('A schema on PostgreSQL may have a name that needs quotes', async () => {
      const [from, to] = await Promise.all([newSource(engine), emptyEngines[other[engine]]()]);
      try {
        const postgres = engine === 'postgres' ? from : to;
        const name = new URL(postgres.url).pathname.slice(1);
        await postgres.query(
          engine === 'postgres' ? 'alter schema public rename to "My-Schema"' : 'create schema "My-Schema"',
        );
        await postgres.query(`alter database ${name} set search_path = "My-Schema", public`);
        const { status, stdout, stderr } = await move(from, to);
        assert.equal(status, 0, stderr);
        assert.match(stdout, /Every table equals the source\./);
      } finally {
        await Promise.all([from.drop(), to.drop()]);
      }
    });

    it('Ids continue after the move, and the search finds moved and new contacts', async () => {
      for (const each of [target, final]) {
        const storage = await openTestStorage(each);
        const [before] = await each.query('select max(id) as last from workspaces');
        const { id } = await storage.run(createWorkspace, null, { name: 'next' });
        assert.ok(id > Number(before?.last) + 1, 'the id of a removed workspace is not used again');
        const [demo] = await each.query(`select id from workspaces where name = 'demo'`);
        const principal = { workspace: Number(demo?.id), actor: 'test' };
        const [last] = await each.query(
          'select max(seq) as seq from contacts where workspace_id = ?',
          principal.workspace,
        );
        const fields = { phone_number: newPhone(), first_name: 'Zyxwv', tags: ['after the move'] };
        const created = await storage.run(createContact, principal, { source: 'api', fields });
        const [row] = await each.query('select seq from contacts where id = ?', created.id);
        assert.ok(Number(row?.seq) > Number(last?.seq));
        const found = await storage.run(listContacts, principal, { search: 'zyxwv' });
        assert.equal(found.total, 1);
        const all = await storage.run(listContacts, principal, { search: 'a' });
        assert.ok(all.total > 100, `${all.total} contacts`);
        await storage.close();
        const verified = await runRoster(environmentOf(each), 'verify');
        assert.equal(verified.status, 0, verified.stdout);
      }
    });
  });
}
