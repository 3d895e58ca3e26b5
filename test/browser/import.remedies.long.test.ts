import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { chooseFrom } from '../kit/browser/lists.ts';
import { encodeText } from '../kit/imports/encodings.ts';
import { planCsv } from '../kit/imports/imports.ts';

const phone = (at: number) => `+141555501${String(at).padStart(2, '0')}`;

const preview = async (page: Page, text: string | Buffer, prepare?: () => Promise<void>) => {
  await page.goto(new URL('/import', page.url()).href);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByRole('region', { name: 'Preview of the file' }).waitFor();
  await prepare?.();
  await page.getByRole('button', { name: 'Preview import' }).click();
  await page.waitForURL('**/import/import_*');
  await chip(page, 'All rows').waitFor();
};

const chip = (page: Page, label: string) =>
  page.getByRole('group', { name: 'Rows to show' }).getByRole('button', { name: label });
const problem = (page: Page, label: string) =>
  page.getByRole('list', { name: 'Problems' }).getByRole('listitem').filter({ hasText: label });

inBrowser('Remedies of an import', (fixture) => {
  it('Problems are grouped with counts, and each has a remedy that updates the preview', () =>
    fixture.visit('/import', async (page) => {
      await fixture.service.post('/v1/contacts', {
        phone_number: phone(9),
        first_name: 'Ada',
        company: 'Old',
        tags: ['vip'],
      });
      const csv = [
        'Phone,First name,Email,Company,Tags,Record ID',
        '(415) 555-0101,National,,,,',
        '(415) 555-0102,National,,,,',
        `${phone(3)},Wrong mail,nothing,,,`,
        `${phone(4)},First,,,one,`,
        `${phone(4)},Later,later@example.com,Acme,two,`,
        ',No number,,,,',
        `${phone(9)},Ada,,New,vip;spring,h-9`,
      ].join('\n');
      await preview(page, csv, async () => {
        await page.getByLabel('If an optional cell is invalid').selectOption('reject_row');
        await page.getByLabel('If the contact already exists').selectOption('overwrite');
      });
      await problem(page, 'No country code').getByText('2 ×').waitFor();
      await page.getByText('1 column with values is skipped').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'import-problems');

      await problem(page, 'No country code').getByRole('button', { name: 'Show rows' }).click();
      await page.waitForURL('**?reason=country_missing');
      await page.getByText('1–2 of 2').waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download invalid rows' }).click();
      const report = readFileSync(await (await download).path(), 'utf8')
        .trim()
        .split(/\r?\n/);
      assert.equal(report.length, 5);
      assert.match(report[0] ?? '', /line,verdict,field,reason,warnings,effect,Phone,First name,Email/);

      await chooseFrom(
        problem(page, 'No country code').getByLabel('Country of these numbers'),
        'United States',
      );
      await problem(page, 'No country code').waitFor({ state: 'detached' });
      await page.getByText('+14155550101').waitFor();
      await problem(page, 'Invalid email').getByRole('button', { name: 'Import without the email' }).click();
      await problem(page, 'Invalid email').getByText('imported without the invalid cell').waitFor();
      await problem(page, 'Same number')
        .getByLabel('If several rows have the same number')
        .selectOption('fill');
      await page.getByText('Merged into line 5.', { exact: true }).waitFor();
      await page.getByText('The preview is updated.', { exact: true }).waitFor();

      await problem(page, 'No phone number').getByRole('button', { name: 'Choose columns' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Field of Record ID').selectOption('crm_ids');
      await dialog.getByText('Required, because a column has CRM IDs.').waitFor();
      await dialog.getByRole('button', { name: 'Update preview' }).click();
      await dialog.getByText('Enter the name of the CRM, for example hubspot.').waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
      await dialog.getByLabel('Name of the CRM').fill('hubspot');
      assert.equal(await dialog.getByText('Enter the name of the CRM').count(), 0);
      await takeScreenshots(page, 'import-crm');
      await dialog.getByRole('button', { name: 'Update preview' }).click();
      await page.getByText('Record ID → CRM ID (hubspot)').waitFor();

      await chip(page, 'Update').click();
      const changes = page.getByRole('list', { name: 'Changes' });
      await changes.getByText('Company: Old → becomes New').waitFor();
      await changes.getByText('spring').waitFor();
      await changes.getByText('h-9').waitFor();
      assert.equal(await changes.getByText('First name').count(), 0);
      await checkAxe(page);
      await takeScreenshots(page, 'import-changes');

      await page.getByRole('button', { name: 'Apply' }).click();
      await dialog.getByText('1 row will be merged into another row with the same number.').waitFor();
      await dialog.getByRole('button', { name: 'Apply import' }).click();
      await page.getByText('4 created, 1 updated.').waitFor();
      await problem(page, 'Same number').getByText('These rows were merged into the first row').waitFor();
      const merged = await fixture.service.get(`/v1/contacts?search=${encodeURIComponent(phone(4))}`);
      const { first_name, email, company, tags } = merged.body.data[0];
      assert.deepEqual(
        [first_name, email, company, tags],
        ['First', 'later@example.com', 'Acme', ['one', 'two']],
      );
      await problem(page, 'No phone number').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Choose columns' }).count(), 0);
    }));

  it('Numbers that do not fit the chosen country ask for another country', () =>
    fixture.visit('/import', async (page) => {
      const csv = 'Phone,First name\n030 23125001,Ada\n030 23125002,Grace\n';
      await preview(page, csv, async () => {
        await chooseFrom(page.getByLabel('Default country for local numbers'), 'United States');
      });
      const badge = page.getByRole('heading', { level: 1 });
      await badge.getByText('Nothing to apply').waitFor();
      const mismatch = problem(page, 'Does not fit the default country');
      await mismatch.getByText("These numbers don't fit the chosen country, United States.").waitFor();
      await mismatch.getByText('digits for a number (United States).').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'import-country-mismatch');
      await page.goBack();
      await page.getByRole('table', { name: 'Imports' }).getByText('Nothing to apply').first().waitFor();
      await page.goForward();
      await chooseFrom(mismatch.getByLabel('Country of these numbers'), 'Germany');
      await chip(page, '2 Create').waitFor();
      await badge.getByText('Ready to apply').waitFor();
      await page.getByText('+493023125001').waitFor();
    }));

  it('Another country says how many rows it fixes, and can be changed back', () =>
    fixture.visit('/import', async (page) => {
      const german = ['030 23125001', '030 23125002', '030 23125003'];
      const csv = ['Phone', ...german, '(202) 555-0171', '+493023125004'].join('\n');
      await preview(page, csv, async () => {
        await chooseFrom(page.getByLabel('Default country for local numbers'), 'United States');
      });
      await chip(page, '3 Invalid').waitFor();
      const mismatch = problem(page, 'Does not fit the default country');
      await chooseFrom(mismatch.getByLabel('Country of these numbers'), 'Germany');
      await page.getByText('+492025550171').waitFor();
      const notice = await page.getByText('Invalid rows: 3 before, 0 now.').locator('..').boundingBox();
      const chips = await page.getByRole('group', { name: 'Rows to show' }).boundingBox();
      assert.ok(notice && chips && chips.y - notice.y - notice.height >= 12, 'The notice touches the chips');
      await checkAxe(page);
      await takeScreenshots(page, 'import-change-back');
      await page.getByRole('button', { name: 'Change back' }).click();
      await chip(page, '3 Invalid').waitFor();
      await page.getByText('+12025550171').waitFor();
      await page.getByText('Invalid rows:').waitFor({ state: 'detached' });
      assert.equal(await page.getByRole('button', { name: 'Change back' }).count(), 0);
    }));

  it('A running import names the other imports and jobs that it takes turns with, until they end', async () => {
    const upload = async (name: string) => {
      const { id } = await planCsv(fixture.owner, `Phone\n${phone(71)}\n`, { name });
      // Without a job, it stays as it is.
      await fixture.service.database.query(`update imports set state = 'applying' where id = ?`, id);
      return id;
    };
    const [own, other] = [await upload('own.csv'), await upload('other.csv')];
    const { data: job } = (
      await fixture.owner.call('POST', '/bulk-jobs', { action: 'export', selection: { filter: {} } })
    ).body;
    const setJob = (change: string) =>
      fixture.service.database.query(`update bulk_jobs set ${change} where id = ?`, job.id);
    await setJob(`action = 'delete', status = 'running', total = 1230, finished_at = null`);
    await fixture.visit(`/import/${own}`, async (page) => {
      await page
        .getByText(
          'Takes turns with other work in progress: “other.csv” (Applying), Delete 1,230 contacts. This continues',
        )
        .waitFor();
      await takeScreenshots(page, 'import-turns');
      await fixture.service.database.query(`update imports set state = 'planned' where id = ?`, other);
      // Without an event, the page does not follow.
      await page.reload();
      await page.getByText('in progress: Delete 1,230 contacts.').waitFor();
      await setJob(`status = 'done'`);
      await page.reload();
      await page.getByText('Takes turns').waitFor({ state: 'detached' });
      await checkAxe(page);
    });
    await fixture.service.database.query(`update imports set state = 'planned' where id = ?`, own);
  });

  it('/imports opens the imports', () =>
    fixture.visit('/imports', async (page) => {
      await page.waitForURL('**/import');
      await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor();
    }));

  it('Rows with an invalid email are skipped, and imported without it, with one click each', () =>
    fixture.visit('/import', async (page) => {
      await preview(page, `Phone,Email\n${phone(51)},nothing\n${phone(52)},ada@example.com\n`);
      const email = problem(page, 'Invalid email');
      await email.getByText('These rows are imported without the invalid cell.').waitFor();
      await email.getByRole('button', { name: 'Skip these rows' }).click();
      await email.getByText('The rest of the row can be imported.').waitFor();
      await page.getByText('rows with an invalid email are skipped').waitFor();
      await chip(page, '1 Invalid').waitFor();
      await email.getByRole('button', { name: 'Import without the email' }).click();
      await chip(page, '2 Create').waitFor();
    }));

  it('A column of CRM ids is proposed by its name, with the name of the CRM', () =>
    fixture.visit('/import', async (page) => {
      const csv = (column: string) => `Phone,${column}\n${phone(61)},h-61\n`;
      for (const [column, crm] of [
        ['CRM ID', 'crm'],
        ['External ID', 'external'],
        ['Salesforce ID', 'salesforce'],
        ['HubSpot Contact ID', 'hubspot'],
      ] as const) {
        await page.goto(new URL('/import', page.url()).href);
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'crm.csv', mimeType: 'text/csv', buffer: Buffer.from(csv(column)) });
        await page.getByLabel('Name of the CRM').waitFor();
        assert.equal(await page.getByLabel(`Field of ${column}`).inputValue(), 'crm_ids');
        assert.equal(await page.getByLabel('Name of the CRM').inputValue(), crm);
        assert.equal(await page.getByText('Matched by name').count(), 2);
      }
      await page.getByLabel('Name of the CRM').fill('');
      await page.getByRole('button', { name: 'Preview import' }).click();
      await page.getByText('Enter the name of the CRM, for example hubspot.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'import-crm-proposed');
      await page.getByLabel('Name of the CRM').fill('hubspot');
      await page.getByRole('button', { name: 'Preview import' }).click();
      await page.getByText('HubSpot Contact ID → CRM ID (hubspot)').waitFor();
    }));

  it('A line that looks like the header becomes the header with one click', () =>
    fixture.visit('/import', async (page) => {
      const csv = `Export,of,ada@example.com\nPhone,First name,Email\n${phone(21)},Ada,\n${phone(22)},Grace,\n`;
      await preview(page, csv, async () => {
        await page.getByLabel('Header row').selectOption('0');
        await page.getByLabel('Field of Column 1').selectOption('phone_number');
      });
      await page.getByText('Line 2 looks like the header row: Phone, First name, Email').waitFor();
      await takeScreenshots(page, 'import-header-row');
      await page.getByRole('button', { name: 'Use line 2 as header' }).click();
      await page.getByText('header in line 2').waitFor();
      await chip(page, '2 Create').waitFor();
      await page.getByText('First name → First name').waitFor();
    }));

  it('Another encoding is chosen after the preview, and the new preview replaces the earlier one', () =>
    fixture.visit('/import', async (page) => {
      const csv = encodeText(`Phone,Wer\n${phone(31)},Иван\n`, 'windows-1251');
      await preview(page, csv, async () => {
        await page.getByLabel('Encoding').selectOption('windows-1252');
        await page.getByText('Èâàí').first().waitFor();
        await page.getByLabel('Field of Wer').selectOption('first_name');
      });
      const first = page.url();
      await page.getByRole('button', { name: 'Change encoding or header row' }).click();
      await page.waitForURL('**/import?again=*');
      await page.getByLabel('Encoding').selectOption('windows-1251');
      await page.getByRole('region', { name: 'Preview of the file' }).getByText('Иван').waitFor();
      assert.equal(await page.getByLabel('Field of Wer').inputValue(), 'first_name');
      await page.getByRole('button', { name: 'Preview import' }).click();
      await page.waitForURL('**/import/import_*');
      await chip(page, 'All rows').waitFor();
      await page.getByText('Иван').waitFor();
      assert.notEqual(page.url(), first);
      const { body } = await fixture.owner.call('GET', '/imports');
      assert.ok(!body.data.some(({ id }: { id: string }) => first.endsWith(id)));
      await page.reload();
      await page.getByRole('button', { name: 'Change encoding or header row' }).click();
      await page.getByText('Choose the file again to read it in another way.').waitFor();
    }));

  it('Contacts are enrolled in a campaign, with a column as a variable', () =>
    fixture.visit('/import', async (page) => {
      const make = async (path: string, body: object): Promise<string> =>
        (await fixture.owner.call('POST', path, body)).body.data.id;
      const agent_id = await make('/agents', { name: 'A', instructions: '' });
      const id = await make('/campaigns', { name: 'Appointments', agent_id });
      await preview(page, `Phone,Slot\n${phone(81)},Tuesday at ten\n`, async () => {
        await page.getByLabel('Enroll in campaign').selectOption(id);
        await page.getByLabel('Field of Slot').selectOption({ label: 'Variable slot' });
        await checkAxe(page);
        await takeScreenshots(page, 'import-campaign');
      });
      await page.getByText('Slot → Variable slot').waitFor();
      await page.getByRole('link', { name: 'Appointments' }).waitFor();
      await page.getByRole('button', { name: 'Apply' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 contact will be enrolled in the campaign, unless it already is.').waitFor();
      await dialog.getByRole('button', { name: 'Apply import' }).click();
      await page.getByText('1 created, 1 enrolled.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await dialog.getByText('1 enrollment of this import will be removed from the campaign.').waitFor();
      await dialog.getByRole('button', { name: 'Undo import' }).click();
      await page.getByText('Undone: 1 removed, 1 removed from the campaign.').waitFor();
    }));

  it('Lines above a detected header are named while the file is prepared', () =>
    fixture.visit('/import', async (page) => {
      await page.locator('input[type=file]').setInputFiles({
        name: 'titled.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`Customers 2026,,\n\nPhone,First name,Email\n${phone(41)},Ada,\n`),
      });
      await page.getByText('1 line above the header in line 3 is skipped.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'import-titles');
    }));
});
