import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createWorkspace } from '../../src/features/workspaces/workspace.service.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { rowsXml, workbookOf } from '../kit/imports/workbook.ts';
import { CLI } from '../kit/process/cli.ts';
import { type Json, startTestService, type TestService } from '../kit/service/test-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'roster-import-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file for the command line. */
const fileOf = (name: string, ...lines: string[]): string => {
  const path = join(folder, name);
  writeFileSync(path, lines.join('\n'));
  return path;
};

const environment = (url: string) => ({ PATH: process.env.PATH ?? '', DATABASE_URL: url });

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `roster` as a user does. */
const roster = (url: string, ...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [CLI, ...args], { env: environment(url) }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });

/** A header and rows with unique numbers. */
const numbersOf = (count: number): string[] => [
  'Phone',
  ...Array.from({ length: count }, (_, at) => `+1${200 + Math.floor(at / 100)}5550${100 + (at % 100)}`),
];

const rows = [
  'Phone,First Name,Extra',
  '(415) 555-0101,Ada,x',
  '+14155550102,Bob,y',
  '4155550102,Again,z',
  '4.15556E+11,Lost,',
];

describe('roster import and export', () => {
  it('import and export reject unknown arguments before opening a database and exit with 2', async () => {
    const file = fileOf('people.csv', ...rows);
    const cases: [args: string[], words: RegExp][] = [
      [['import'], /^Usage:\n {2}roster import FILE/],
      [['import', 'show'], /^Usage:\n {2}roster import FILE/],
      [['import', join(folder, 'nothing.csv')], /^Cannot read .*nothing\.csv\. Check the path/],
      [['import', folder], /is a folder\. Choose a file\.\n$/],
      [
        ['import', file, '--on-existing', 'merge'],
        /^--on-existing must be one of skip, fill, overwrite, not merge\.\n$/,
      ],
      [
        ['import', file, '--country', 'Germany'],
        /^--country must be a two-letter country code, for example US, not Germany\.\n$/,
      ],
      [['import', file, '--encoding', 'latin'], /^--encoding must be one of utf-8, .*, not latin\.\n$/],
      [
        ['import', file, '--header-row', '51'],
        /^--header-row must be a whole number from 0 to 50, for example 1, not 51\.\n$/,
      ],
      [['import', file, '--map', 'Phone'], /^--map must have the form "Column=field", not Phone\.\n$/],
      [['import', file, '--bogus'], /^Unknown option '--bogus'\.\nUsage:/],
      [['export', '--format', 'xlsx'], /^--format must be one of csv, jsonl, not xlsx\.\n$/],
    ];
    const ended = await Promise.all(cases.map(([args]) => roster('sqlite:/nowhere', ...args)));
    for (const [at, { code, stdout, stderr }] of ended.entries()) {
      const [args, pattern] = cases[at] as (typeof cases)[number];
      assert.match(stderr, pattern, args.join(' '));
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    }
  });
});

for (const [engine, create] of Object.entries(engines)) {
  describe(`roster import and export with a running service on ${engine}`, () => {
    let database: TestDatabase;
    let service: TestService;
    before(async () => {
      database = await create();
      service = await startTestService(database);
    });
    after(async () => {
      await service.stop();
      await database.drop();
    });
    const run = (...args: string[]) => roster(database.url, ...args);
    /** Asserts that a command succeeds and prints only its result. */
    const runs = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stderr], [0, ''], args.join(' '));
      return stdout;
    };
    const total = async () => (await service.get('/v1/contacts')).body.pagination.total;

    it('roster import plans the chosen sheet of a workbook', async () => {
      const file = join(folder, `${engine}.xlsx`);
      const sheets = {
        First: rowsXml([['Phone'], ['12']]),
        'Our people': rowsXml([['Phone'], ['+14155550109']]),
      };
      writeFileSync(file, workbookOf({ sheets }));
      const planned = await runs('import', file, '--plan', '--sheet', 'Our people');
      assert.match(
        planned,
        /^Sheet: Our people, header in line 1\.\n\nCOLUMN {2}FIELD\nPhone {3}phone_number\n/,
      );
      assert.match(planned, /\.xlsx: planned, 1 row\.\n\nROWS\n1 {5}to create\n/);
      const { code, stderr } = await run('import', file, '--plan', '--sheet', 'Nowhere');
      assert.equal(code, 1);
      assert.match(stderr, /^sheet: "Nowhere" does not exist\. Available sheets: First, Our people\./);
    });

    it('roster import plans, shows, applies and undoes an import with readable output', async () => {
      const file = fileOf(`${engine}.csv`, ...rows);
      const planned = await runs('import', file, '--plan', '--country', 'us', '--map', 'Extra=notes');
      const id = /import_\w+/.exec(planned)?.[0] ?? '';
      const lost =
        'Line 5: phone_number was turned into 4.15556E+11 by a spreadsheet, and its last digits are lost. Format the column as text and export it again.';
      const report = `To see every row and its result: npx roster import show ${id} --report`;
      const counted = [
        '',
        'ROWS',
        '2     to create',
        '1     duplicates in the file, skipped',
        '1     invalid, skipped',
      ];
      assert.deepEqual(planned.split('\n'), [
        'Encoding: utf-8 (detected), header in line 1.',
        '',
        'COLUMN      FIELD',
        'Phone       phone_number',
        'First Name  first_name',
        'Extra       notes',
        '',
        `${engine}.csv: planned, 4 rows.`,
        ...counted,
        '',
        lost,
        '',
        report,
        `No contact was changed. To apply the import: npx roster import apply ${id}`,
        '',
      ]);
      assert.equal(await total(), 0);

      const applied = await runs('import', 'apply', id);
      assert.deepEqual(applied.split('\n'), [
        `${engine}.csv: applied, 4 rows.`,
        '',
        'ROWS',
        '2     created',
        '1     duplicates in the file, skipped',
        '1     invalid, skipped',
        '',
        lost,
        '',
        report,
        `To undo it within 30 days: npx roster import undo ${id}`,
        '',
      ]);
      assert.equal(await total(), 2);
      const ada = (await service.get('/v1/contacts?search=ada')).body.data[0];
      assert.deepEqual([ada.phone_number, ada.notes, ada.source], ['+14155550101', 'x', 'import']);
      const [again, shown, reported] = await Promise.all([
        run('import', 'apply', id),
        run('import', 'show', id, '--json'),
        run('import', 'show', id, '--report'),
      ]);
      assert.deepEqual([again.code, again.stdout, again.stderr], [1, '', 'The import is already applied.\n']);
      assert.deepEqual(JSON.parse(shown.stdout).totals, {
        create: 2,
        duplicate_in_file: 1,
        invalid: 1,
        created: 2,
      });
      assert.match(
        reported.stdout,
        /^\ufeffline,verdict,field,reason,warnings,effect,Phone,First Name,Extra\r\n2,create,,,,created,/,
      );
      assert.equal(reported.stdout.split('\r\n').length, 6);

      await service.patch(`/v1/contacts/${ada.id}`, { notes: 'Mine.' });
      const undone = await runs('import', 'undo', id);
      assert.match(
        undone,
        /: undone, 4 rows\.\n\nROWS\n1 {5}removed\n1 {5}skipped, because the contact was changed after the import, or someone had claimed it\n/,
      );
      assert.match(undone, new RegExp(`\nLine 2: ${ada.id}\n`));
      assert.equal(await total(), 1);
      await service.delete(`/v1/contacts/${ada.id}`);
    });

    // The remaining tests do not depend on the engine.
    if (engine !== 'sqlite') return;

    it('roster import runs in one step, with JSON output on request, and in another workspace', async () => {
      const file = fileOf('go.csv', 'Phone;Name', '(415) 555-0111;Ada', '+14155550112;Bob');
      const storage = await openTestStorage(database);
      await storage.run(createWorkspace, null, { name: 'Acme Corp' });
      await storage.close();
      const [view, output] = await Promise.all([
        runs('import', file, '--legacy', '--json', '--map', 'Name='),
        runs('import', file, '--workspace', 'Acme Corp'),
      ]);
      const { state, totals, options, columns } = JSON.parse(view);
      assert.deepEqual([state, totals], ['applied', { create: 2, created: 2 }]);
      assert.deepEqual(options, {
        legacy: true,
        on_existing: 'fill',
        tags: 'merge',
        on_invalid: 'omit_field',
        on_invalid_email: null,
        campaign_id: null,
        on_duplicate: 'first',
        crm: null,
        country: null,
      });
      assert.deepEqual(
        columns.map(({ field }: Json) => field),
        ['phone_number', null],
      );
      assert.match(
        output,
        /^Encoding: utf-8 \(detected\), header in line 1\.\n\nCOLUMN {2}FIELD\nPhone {3}phone_number\nName {4}display_name\n\ngo\.csv: applied/,
      );
      assert.match(output, /\nTo read national numbers, choose a country, for example --country US\.\n/);
      assert.match(output, /npx roster import undo import_\w+ --workspace 'Acme Corp'\n$/);
      const listed = (await service.get('/v1/contacts')).body.data;
      assert.deepEqual(
        listed.map(({ phone_number, display_name }: Json) => [phone_number, display_name]),
        [
          ['+14155550112', null],
          ['(415) 555-0111', null],
        ],
      );

      const path = join(folder, `${engine}.jsonl`);
      const [toFile, toStdout, none] = await Promise.all([
        runs('export', path),
        runs('export', '--search', '0112', '--workspace', 'Acme Corp'),
        runs('export', '--tag', 'nobody', '--format', 'jsonl'),
      ]);
      assert.equal(toFile, `Exported 2 contacts to ${path}.\n`);
      assert.equal(statSync(path).mode & 0o777, 0o600);
      assert.deepEqual(
        readFileSync(path, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).phone_number),
        ['(415) 555-0111', '+14155550112'],
      );
      assert.match(toStdout, /^\ufeffid,phone_number,.*\r\ncontact_\w+,'\+14155550112,,,,Bob,[^\n]*\r\n$/);
      assert.equal(none, '');
    });

    it('roster import - reads the standard input, and roster export --raw writes texts as they are', async () => {
      const file = fileOf('piped.csv', 'Phone,Notes,Tags', '+14155550177,"=1+1, 007",piped');
      const script = `cat '${file}' | "$0" "$1" import - --json`;
      const { stdout } = await promisify(execFile)('sh', ['-c', script, process.execPath, CLI], {
        env: environment(database.url),
      });
      const { name, state, totals } = JSON.parse(stdout);
      assert.deepEqual([name, state, totals], ['stdin', 'applied', { create: 1, created: 1 }]);
      const raw = await runs('export', '--tag', 'piped', '--raw');
      assert.match(raw, /^id,phone_number,.*\r\ncontact_\w+,\+14155550177,.*,"=1\+1, 007",/);
      const escaped = await runs('export', '--tag', 'piped');
      assert.match(escaped, /^\ufeffid,.*\r\ncontact_\w+,'\+14155550177,.*,"'=1\+1, 007",/);
    });

    it('An invalid file, workspace or path is reported and leaves nothing behind', async () => {
      const file = fileOf('wrong.csv', ...rows);
      const cases: [args: string[], code: number, words: RegExp][] = [
        [['import', file, '--workspace', 'acme'], 1, /^There is no workspace acme\. Existing workspaces: /],
        [
          ['import', file, '--map', 'phone=notes'],
          1,
          /^columns: do not include "phone"\. Available columns: Phone, First Name, Extra\.\n$/,
        ],
        [
          ['import', file, '--map', 'Extra=surname'],
          1,
          /^columns: cannot be mapped to "surname"\. Allowed fields: phone_number, /,
        ],
        [
          ['import', fileOf('no-phone.csv', 'Name,Email', 'Ada,ada@example.com')],
          1,
          /^columns: must include a phone number\. Map one of these to phone_number: "Name", "Email"\.\n$/,
        ],
        [
          ['import', fileOf('two.csv', 'Telefon', '4155550119'), '--map', 'Telefon=telephone'],
          1,
          /^columns: must include a phone number\. .*\ncolumns: cannot be mapped to "telephone"\. Allowed fields: phone_number, .*\n$/,
        ],
        [
          ['import', fileOf('open.csv', 'Phone,Name', '+14155550119,"Ada', 'x')],
          1,
          /^Line 2: has a quote that is never closed\.\n$/,
        ],
        [['import', 'apply', 'import_nothing'], 1, /^No such import in this workspace\.\n$/],
        [
          ['export', join(folder, 'nowhere', 'x.csv')],
          2,
          /^Cannot write to .*: the folder does not exist\.\n$/,
        ],
        [
          ['export', file],
          2,
          /^.*wrong\.csv already exists\. To replace it: npx roster export .*wrong\.csv'? --force\n$/,
        ],
      ];
      const count = async () => {
        const sql = "select count(*) as count from imports where state <> 'deleting'";
        return Number((await database.query(sql))[0]?.count);
      };
      const countsBefore = [await count(), await total()];
      const ended = await Promise.all(cases.map(([args]) => run(...args)));
      for (const [at, { code, stdout, stderr }] of ended.entries()) {
        const [args, expected, pattern] = cases[at] as (typeof cases)[number];
        assert.match(stderr, pattern, args.join(' '));
        assert.deepEqual([code, stdout], [expected, ''], args.join(' '));
      }
      assert.deepEqual([await count(), await total()], countsBefore);
      assert.equal(readFileSync(file, 'utf8'), rows.join('\n'), 'the file is what it was');
      assert.equal((await run('export', file, '--force')).code, 0);
      assert.match(readFileSync(file, 'utf8'), /^\ufeffid,phone_number,/);
    });

    it('roster export reports a full disk', async (t) => {
      if (!existsSync('/dev/full')) return t.skip('/dev/full does not exist');
      const message = (target: string) =>
        `Cannot write to ${target}: the disk is full. The output is incomplete.\n`;
      const toFile = await run('export', '/dev/full');
      assert.deepEqual([toFile.code, toFile.stdout, toFile.stderr], [1, '', message('/dev/full')]);
      const piped = spawnSync('sh', ['-c', `'${process.execPath}' '${CLI}' export > /dev/full`], {
        encoding: 'utf8',
        env: environment(database.url),
      });
      assert.deepEqual([piped.status, piped.stderr], [1, message('the output')]);
    });

    it('roster import does not block the writes of the service', async () => {
      const file = fileOf('room.csv', ...numbersOf(5_000));
      let isDone = false;
      const importing = runs('import', file).finally(() => {
        isDone = true;
      });
      for (let made = 0; !isDone; made++) {
        await makeContact(service, {
          phone_number: `+1${800 + Math.floor(made / 100)}5550${100 + (made % 100)}`,
        });
      }
      assert.match(await importing, /\n5,000 {2}created\n/);
      // A write that waited for the whole import would come after all of its contacts.
      const contacts = await service.database.query('select source, phone_number from contacts order by seq');
      const [first, last] = [numbersOf(5_000)[1], numbersOf(5_000).at(-1)].map((number) =>
        contacts.findIndex(({ phone_number }) => phone_number === number),
      );
      const between = contacts.slice(first, last).filter(({ source }) => source === 'api');
      assert.ok(between.length > 2, `${between.length} writes during the import`);
    });
  });

  describe(`Interrupted roster import on ${engine}`, () => {
    /** Waits until an import is running. */
    const begun = async (database: TestDatabase, child: ChildProcess, state: string): Promise<string> => {
      while (child.exitCode === null) {
        const [found] = await database.query(
          'select id from imports where state = ? and progress > 0',
          state,
        );
        if (found) return String(found.id);
        await pause(10);
      }
      throw new Error('it ended before it was interrupted');
    };

    it('The service resumes an import that was interrupted while it was applied', async () => {
      const database = await create();
      const count = 3_000;
      const file = fileOf(`many-${engine}.csv`, ...numbersOf(count));
      const first = await startTestService(database);
      await first.stop();
      const child = spawn(process.execPath, [CLI, 'import', file], {
        env: environment(database.url),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let stderr = '';
      child.stderr?.on('data', (chunk) => {
        stderr += chunk;
      });
      const id = await begun(database, child, 'applying');
      child.kill('SIGINT');
      assert.deepEqual(await once(child, 'close'), [130, null]);
      assert.match(
        stderr,
        new RegExp(
          `^Stopped after [\\d,]+ of 3,000 rows\\. A running service resumes the import\\. To resume it here: npx roster import apply ${id}\n$`,
        ),
      );
      const service = await startTestService(database);
      try {
        for (let state = ''; state !== 'applied'; await pause(50)) {
          const [found] = await database.query('select state, totals from imports where id = ?', id);
          state = String(found?.state);
          if (state === 'applied')
            assert.deepEqual(JSON.parse(String(found?.totals)), { create: count, created: count });
        }
        assert.equal((await service.get('/v1/contacts')).body.pagination.total, count);
      } finally {
        await service.stop();
        await database.drop();
      }
    });

    it('An import interrupted while reading, or by an unreadable line, leaves nothing without a service', async () => {
      const database = await create();
      await (await startTestService(database)).stop();
      const left = async () => {
        const tables = ['imports', 'import_rows', 'jobs'];
        const counts = tables.map((table) => database.query(`select count(*) as count from ${table}`));
        return (await Promise.all(counts)).map(([row]) => Number(row?.count));
      };
      try {
        const open = fileOf(`open-${engine}.csv`, ...numbersOf(3_000), '"+12025550100');
        const broken = await roster(database.url, 'import', open);
        assert.deepEqual(
          [broken.code, broken.stdout, broken.stderr],
          [1, '', 'Line 3002: has a quote that is never closed.\n'],
        );
        assert.deepEqual(await left(), [0, 0, 0]);

        const file = fileOf(`long-${engine}.csv`, ...numbersOf(50_000));
        const child = spawn(process.execPath, [CLI, 'import', file], {
          env: environment(database.url),
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        let stderr = '';
        child.stderr?.on('data', (chunk) => {
          stderr += chunk;
        });
        await begun(database, child, 'planning');
        child.kill('SIGINT');
        assert.deepEqual(await once(child, 'close'), [130, null]);
        assert.equal(stderr, 'Stopped while reading the file. Nothing was stored.\n');
        assert.deepEqual(await left(), [0, 0, 0]);
      } finally {
        await database.drop();
      }
    });
  });
}

describe('roster import on a terminal', () => {
  it('roster import shows its progress on a terminal', async (t) => {
    if (spawnSync('script', ['--version']).error) return t.skip('there is no terminal to be had');
    const database = await engines.sqlite();
    const service = await startTestService(database);
    await makeContact(service, { phone_number: '+14155550101' });
    await service.stop();
    const file = fileOf('terminal.csv', ...rows);
    const command = `'${process.execPath}' '${CLI}' import '${file}' --country US`;
    const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
      encoding: 'utf8',
      env: environment(database.url),
    });
    const shown = stdout.replaceAll('\r\u001b[K', '\n');
    assert.match(shown, /^\nReading 4 rows, [\d,]+ per second\r?\n/);
    assert.match(shown, /\nApplying █{30} 100 % 4 rows, [\d,]+ per second\r?\n/);
    assert.match(stdout, /1 {5}created\r?\n1 {5}updated/);
    await database.drop();
  });
});
