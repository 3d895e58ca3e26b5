import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { type BrowserFixture, checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { chooseFrom } from '../kit/browser/lists.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { encodeText } from '../kit/imports/encodings.ts';
import { importRows } from '../kit/imports/imports.ts';
import { rowsXml, workbookOf } from '../kit/imports/workbook.ts';

const ROWS = 1_200;
/** Thousands of rows take longer on a busy machine. */
const LONG = { timeout: 40_000 };
const phoneAt = (at: number) => `+1${200 + Math.floor(at / 100)}55501${String(at % 100).padStart(2, '0')}`;

/** 1,100 new contacts, 20 existing ones, 50 duplicates, and 30 invalid rows. */
const contactsCsv = (): string => {
  const rows = Array.from({ length: ROWS }, (_, at) => {
    if (at < 1_120)
      return `Person ${at},${phoneAt(at)},p${at}@example.com,${at % 2 ? 'spring' : 'autumn;vip'}`;
    if (at < 1_170) return `Again ${at},${phoneAt(at - 1_120)},,`;
    return at % 2 ? `Nobody ${at},12,,` : `Wrong ${at},${phoneAt(at)},no address,`;
  });
  return ['Who,Reach,Mail,Bunch', ...rows].join('\n');
};

const fileOf = (name: string, text: string | Buffer) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

const chooseFile = (page: Page, name: string, text: string | Buffer) =>
  page.locator('input[type=file]').setInputFiles(fileOf(name, text));

const chip = (page: Page, label: string) =>
  page.getByRole('group', { name: 'Rows to show' }).getByRole('button', { name: label });

const chips = (page: Page) =>
  page.getByRole('group', { name: 'Rows to show' }).getByRole('button').allInnerTexts();

/** Blocks writes during the work, as a long write of another process does. */
const whileLocked = async ({ service }: BrowserFixture, work: () => Promise<void>) => {
  const { database } = service.database;
  assert.ok(database.engine === 'sqlite');
  const db = new DatabaseSync(database.path, { timeout: 5_000 });
  try {
    db.exec('begin immediate');
    await work();
    db.exec('rollback');
  } finally {
    db.close();
  }
};

inBrowser('Imports', (fixture) => {
  it('A file of 1,200 rows is planned, applied, reported and undone', () =>
    fixture.visit(
      '/import',
      async (page) => {
        for (let at = 0; at < 20; at++) {
          const first_name = at < 10 ? undefined : 'Known';
          await fixture.service.post('/v1/contacts', {
            phone_number: phoneAt(at),
            first_name,
            tags: ['autumn', 'vip', 'spring'],
          });
        }
        await page.getByText('No imports yet').waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'import-empty');

        await chooseFile(page, 'people.csv', contactsCsv());
        const field = (name: string) => page.getByLabel(`Field of ${name}`);
        await page.getByText('UTF-8, separated by commas, header in line 1').waitFor();
        assert.equal(await field('Reach').inputValue(), 'phone_number');
        assert.equal(await field('Mail').inputValue(), 'email');
        assert.equal(await page.getByText('Matched by content').count(), 1);
        await field('Who').selectOption('phone_number');
        await page.getByText('“Reach” is now skipped').waitFor();
        await field('Who').selectOption('last_name');
        assert.equal(await page.getByText('No column is mapped to the phone number').count(), 2);
        await page.getByRole('button', { name: 'Preview import' }).click();
        await page.getByRole('alert').getByText('No column is mapped to the phone number').waitFor();
        await field('Reach').selectOption('phone_number');
        await field('Bunch').selectOption('tags');
        await page.getByLabel('If an optional cell is invalid').selectOption('reject_row');
        await chooseFrom(page.getByLabel('Default country for local numbers'), 'United States');
        await checkAxe(page);
        await takeScreenshots(page, 'import-columns');
        await page.getByRole('button', { name: 'Preview import' }).click();

        await page.waitForURL('**/import/import_*', LONG);
        await chip(page, 'Create').waitFor();
        assert.deepEqual(await chips(page), [
          '1,200\nAll rows',
          '1,100\nCreate',
          '20\nUpdate',
          '50\nDuplicate',
          '30\nInvalid',
        ]);
        await chip(page, 'Invalid').click();
        await page.waitForURL('**?verdict=invalid');
        await page.getByText('1–30 of 30').waitFor();
        await page.getByText('Email must be an email address').first().waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'import-invalid');
        await chip(page, 'Duplicate').click();
        await page.getByText('Same number as line 2.', { exact: true }).waitFor();
        const download = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Report' }).click();
        const report = readFileSync(await (await download).path(), 'utf8')
          .trim()
          .split(/\r?\n/);
        assert.equal(report.length, ROWS + 1);

        await page.getByRole('button', { name: 'Edit', exact: true }).click();
        await page.getByRole('dialog').getByLabel('If the contact already exists').selectOption('skip');
        await checkAxe(page);
        await takeScreenshots(page, 'import-change');
        await page.getByRole('button', { name: 'Update preview' }).click();
        await chip(page, 'Unchanged').waitFor();
        assert.ok((await chips(page)).includes('20\nUnchanged'));
        await page.getByRole('button', { name: 'Edit', exact: true }).click();
        await page.getByRole('dialog').getByLabel('If the contact already exists').selectOption('fill');
        await page.getByRole('button', { name: 'Update preview' }).click();
        await chip(page, 'Update').waitFor();

        await page.getByRole('button', { name: 'Apply' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('1,100 contacts will be created.').waitFor();
        await dialog.getByText('20 contacts will be updated: empty fields are filled.').waitFor();
        await dialog.getByText('30 invalid rows will be skipped.').waitFor();
        await dialog.getByText('50 duplicate rows will be skipped.').waitFor();
        const started = page.waitForResponse('**/apply');
        await dialog.getByRole('button', { name: 'Apply import' }).click();
        await started;
        await whileLocked(fixture, async () => {
          await page.getByRole('progressbar', { name: 'Applying changes' }).waitFor();
          await page.reload();
          await page.getByRole('progressbar', { name: 'Applying changes' }).waitFor();
          await page.goto(`${page.url().split('?')[0]}?page=22`);
          await page.getByText('Not applied yet.').first().waitFor();
          assert.equal(await page.getByText('No contact has this number yet.').count(), 0);
          await takeScreenshots(page, 'import-applying');
          await page.goto(page.url().split('?')[0] ?? '');
        });
        await page.getByText('1,100 created, 20 updated. You can undo it until').waitFor(LONG);
        assert.deepEqual(await chips(page), [
          '1,200\nAll rows',
          '1,100\nCreated',
          '20\nUpdated',
          '50\nDuplicate',
          '30\nInvalid',
        ]);
        await takeScreenshots(page, 'import-applied');
        await page.getByRole('link', { name: 'Show contacts' }).click();
        await page.waitForURL('**/contacts?import=import_*');
        await page.getByText('1,120 matches').waitFor();
        await page.goBack();
        await page.getByText('1,100 created, 20 updated. You can undo it until').waitFor();
        const { body } = await fixture.service.get('/v1/contacts?search=Person%201119');
        assert.equal(body.data[0].phone_number, phoneAt(1_119));
        assert.equal(body.data[0].source, 'import');
        assert.deepEqual(body.data[0].tags, ['spring']);

        const { id: edited } = body.data[0];
        await fixture.service.patch(`/v1/contacts/${edited}`, { company: 'Changed since' });
        await page.route('**/undo', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
        await page.getByRole('button', { name: 'Undo' }).click();
        await dialog
          .getByText('Contacts changed, claimed or deleted since the import will be skipped')
          .waitFor();
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('button', { name: 'Undo' }).click();
        await dialog.getByText('1,099 contacts created by this import will be deleted').waitFor();
        await dialog.getByText('1 contact will be skipped, because someone else changed it').waitFor();
        await takeScreenshots(page, 'import-undo-dialog');
        await dialog.getByRole('button', { name: 'Undo import' }).click();
        await page.getByText('Undone: 1,099 removed, 20 restored. 1 contact was changed').waitFor(LONG);
        await page.getByRole('button', { name: 'Show rows', exact: true }).click();
        await page.waitForURL('**?effect=edited_since');
        await page.getByRole('link', { name: 'Person 1119' }).waitFor();
        await page.getByText('1–1 of 1').waitFor();
        await takeScreenshots(page, 'import-undone');
        assert.equal((await fixture.service.get('/v1/contacts?limit=1')).body.pagination.total, 21);

        await page.getByRole('link', { name: 'Imports', exact: true }).first().click();
        await page
          .getByRole('cell', { name: '1,099 removed, 20 restored, 1 skipped (edited since)' })
          .waitFor();
        await page.getByRole('cell', { name: 'you' }).waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'import-list');
        await page.getByRole('link', { name: 'people.csv' }).click();
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: 'Delete import…' }).click();
        await page.getByRole('button', { name: 'Delete import' }).click();
        await page.getByText('people.csv deleted.').waitFor();
        await page.getByText('No imports yet').waitFor();
      },
      { expected: /ERR_FAILED/ },
    ));
});

inBrowser('Invalid import files', (fixture) => {
  const good = (from: number) =>
    Array.from({ length: 300 }, (_, at) => `Row ${from + at},${phoneAt(from + at)}`).join('\n');

  it('An image is rejected where it is dropped, and the next file is accepted', () =>
    fixture.visit('/import', async (page) => {
      await page.getByText('No imports yet').waitFor();
      const dropped = await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);
        transfer.items.add(new File([bytes], 'people.png'));
        return transfer;
      });
      await page.dispatchEvent('h1', 'dragover', { dataTransfer: dropped });
      await page.getByText('Drop to preview').waitFor();
      await page.dispatchEvent('h1', 'drop', { dataTransfer: dropped });
      await page.getByText('Couldn’t read people.png').waitFor();
      await page.getByText('The file is an image, not a CSV file.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'import-refused');
      await chooseFile(page, 'fine.csv', `Who,Reach\n${good(0)}`);
      await page.getByLabel('Field of Reach').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Drop a CSV or Excel file here').waitFor();
      assert.equal(await page.getByText('Couldn’t read').count(), 0);
    }));

  it('An invalid line is reported, and the chosen options apply to the corrected file', () =>
    fixture.visit('/import', async (page) => {
      await chooseFile(page, 'people.csv', `Who,Reach\n${good(0)}\n"Eve,${phoneAt(300)}\n`);
      await page.getByLabel('Field of Who').selectOption('display_name');
      await page.getByRole('button', { name: 'Preview import' }).click();
      await page.getByText('Couldn’t read people.csv').waitFor();
      await page.getByText('Line 302: has a quote that is never closed.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'import-line-at-fault');
      assert.deepEqual((await fixture.owner.call('GET', '/imports')).body.data, []);
      await page.getByRole('link', { name: 'Contacts' }).first().click();
      await page.getByText("Your changes haven't been saved").waitFor();
      await page.getByRole('button', { name: 'Cancel' }).last().click();
      await chooseFile(page, 'people.csv', `Who,Reach\n${good(0)}\n"Eve",${phoneAt(300)}\n`);
      await page.getByText('Couldn’t read').waitFor({ state: 'detached' });
      assert.equal(await page.getByLabel('Field of Who').inputValue(), 'display_name');
      await page.getByRole('button', { name: 'Preview import' }).click();
      await page.waitForURL('**/import/import_*');
      await chip(page, 'Create').waitFor();
      assert.deepEqual((await chips(page)).at(1), '301\nCreate');
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      assert.equal((await importRows(fixture.owner, id)).length, 301);
    }));

  it('A file is previewed with another encoding and header, and imported without invalid cells', () =>
    fixture.visit('/import', async (page) => {
      const text = `Kunden 2026,,\nWer,Nummer,Mail\nИван Петров,${phoneAt(400)},no address\nОльга,${phoneAt(401)},\n`;
      await chooseFile(page, 'people.csv', encodeText(text, 'windows-1251'));
      const preview = page.getByRole('region', { name: 'Preview of the file' });
      await page.getByLabel('Encoding').selectOption('windows-1252');
      await preview.getByText('Èâàí Ïåòðîâ').waitFor();
      await page.getByLabel('Encoding').selectOption('windows-1251');
      await preview.getByText('Иван Петров').waitFor();
      await page.getByLabel('Header row').selectOption('1');
      await page.getByLabel('Field of Kunden 2026').waitFor();
      await page.getByLabel('Header row').selectOption('2');
      await page.getByLabel('Field of Wer').selectOption('display_name');
      await page.getByLabel('Field of Mail').selectOption('email');
      await checkAxe(page);
      await takeScreenshots(page, 'import-format');
      await page.getByRole('button', { name: 'Preview import' }).click();
      await page.waitForURL('**/import/import_*');
      await chip(page, 'With warnings').click();
      await page.getByText('Skipped value: no address').waitFor();
      await page
        .getByText('Cyrillic (Windows-1251), separated by commas, header in line 2; encoding chosen')
        .waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'import-warnings');
    }));

  it('An import reads the chosen sheet of an Excel workbook', () =>
    fixture.visit('/import', async (page) => {
      const sheets = {
        Leads: rowsXml([
          ['Wer', 'Nummer'],
          ['Ada', phoneAt(410)],
        ]),
        Kunden: rowsXml([
          ['Wer', 'Nummer'],
          ['Grace', phoneAt(411)],
        ]),
      };
      await chooseFile(page, 'people.xlsx', workbookOf({ sheets }));
      const preview = page.getByRole('region', { name: 'Preview of the file' });
      await preview.getByText('Ada').waitFor();
      assert.equal(await page.getByLabel('Encoding').count(), 0);
      await page.getByLabel('Sheet').selectOption('Kunden');
      await preview.getByText('Grace').waitFor();
      await checkAxe(page);
      await page.getByRole('button', { name: 'Preview import' }).click();
      await page.waitForURL('**/import/import_*');
      await page.getByText('Excel workbook, sheet “Kunden”, header in line 1').waitFor();
    }));

  it('Columns fill fields of the workspace, and create new ones', () =>
    fixture.visit('/import', async (page) => {
      const { service } = fixture;
      await makeField(service, 'renewal_date', 'date');
      const rows = ['gold', 'silver', 'gold', 'silver'].map(
        (plan, at) => `Person ${at},${phoneAt(420 + at)},31.0${at + 1}.2026,${plan},${at * 100}.5`,
      );
      const csv = ['Name,Phone,Renewal date,Plan,Balance', ...rows].join('\n');
      await chooseFile(page, 'plans.csv', csv);
      const field = (name: string) => page.getByLabel(`Field of ${name}`);
      await field('Plan').waitFor();
      assert.equal(await field('Renewal date').inputValue(), 'fields.renewal_date');
      await field('Plan').selectOption({ label: 'Create a field…' });
      await page.getByRole('button', { name: 'Create field for Balance' }).click();
      const plan = page.getByRole('group', { name: 'New field of Plan' });
      assert.equal(await plan.getByLabel('Key').inputValue(), 'plan');
      assert.equal(await plan.getByLabel('Type').inputValue(), 'enum');
      assert.equal(await plan.getByLabel('Options').inputValue(), 'gold\nsilver');
      assert.ok(await plan.getByLabel('Filterable').isChecked());
      const balance = page.getByRole('group', { name: 'New field of Balance' });
      await balance.getByText('2 of 20 in use').waitFor();
      await balance.getByLabel('Filterable').uncheck();
      await balance.getByText('1 of 20 in use').waitFor();
      assert.equal(await balance.getByLabel('Type').inputValue(), 'number');
      await balance.getByLabel('Key').fill('Open balance');
      await balance.getByText('Start with a letter').waitFor();
      await balance.getByLabel('Key').fill('open_balance');
      await balance.getByLabel('Label').fill('Open balance');
      await checkAxe(page);
      await takeScreenshots(page, 'import-new-fields');
      await page.getByRole('button', { name: 'Preview import' }).click();
      await page.waitForURL('**/import/import_*');
      await page.getByText('Balance → Open balance').waitFor();
      await chip(page, 'With warnings').click();
      await page.getByText('Skipped value: 31.02.2026').waitFor();
      await takeScreenshots(page, 'import-fields-plan');
      await page.getByRole('button', { name: 'Apply' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('These fields will be created: Plan, Open balance.').waitFor();
      await takeScreenshots(page, 'import-fields-apply');
      await dialog.getByRole('button', { name: 'Apply import' }).click();
      await page.getByText('4 created').first().waitFor(LONG);
      const search = encodeURIComponent(phoneAt(422));
      const { body } = await service.get(`/v1/contacts?search=${search}&include=fields`);
      assert.deepEqual(body.data[0].fields, {
        open_balance: 200.5,
        plan: 'gold',
        renewal_date: '2026-03-31',
      });
      const filterable = (await fixture.owner.call('GET', '/fields')).body.data.filter(
        (each: { filterable: boolean }) => each.filterable,
      );
      assert.deepEqual(
        filterable.map(({ key }: { key: string }) => key),
        ['plan'],
      );
    }));

  it('The URL of an unknown import shows Not found', () =>
    fixture.visit('/import/import_01arz3ndektsv4rrffq69g5fav', async (page) => {
      await page.getByText('Not found').waitFor();
      await page.getByRole('link', { name: 'Imports' }).first().click();
      await page.getByText('Drop a CSV or Excel file here').waitFor();
    }));
});
