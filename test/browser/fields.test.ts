import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { instructionsEditor, replaceInstructions } from '../kit/browser/editor.ts';
import { valueSaved } from '../kit/browser/waits.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import type { Json } from '../kit/service/test-service.ts';

inBrowser('Fields', (fixture) => {
  let contact: Json;
  let agent: string;
  const stored = async (): Promise<Json> =>
    (await fixture.service.get(`/v1/contacts/${contact.id}?include=fields`)).body.data.fields;
  before(async () => {
    const { service } = fixture;
    contact = await makeContact(service, { first_name: 'Ada', last_name: 'Lovelace' });
    const made = await service.post('/v1/agents', { name: 'Renewals', instructions: 'Hello.' });
    agent = made.body.data.id;
    await fixture.owner.call('PATCH', '/settings', { time_zone: 'Europe/Berlin' });
  });

  it('An owner creates fields, and errors are shown at their inputs', () =>
    fixture.visit('/settings?tab=fields', async (page) => {
      await page.getByText('No fields yet').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'fields-empty');
      const form = page.getByRole('dialog', { name: 'Create field' });
      const create = async (label: string, type: string, fill?: () => Promise<void>) => {
        await page.getByRole('button', { name: 'Create field' }).first().click();
        await form.getByLabel('Label').fill(label);
        await form.getByLabel('Type').selectOption(type);
        await fill?.();
        await form.getByRole('button', { name: 'Create field' }).click();
        await page.getByText(`${label} created.`).waitFor();
        await form.waitFor({ state: 'detached' });
      };
      await create('Plan', 'Choice', async () => {
        assert.equal(await form.getByLabel('Key').inputValue(), 'plan');
        await form.getByRole('button', { name: 'Create field' }).click();
        await form.getByText('Enter at least one option.').waitFor();
        await form.getByLabel('Key').fill('first_name');
        await form.getByLabel('Options').fill('gold\nsilver\n');
        await form.getByRole('button', { name: 'Create field' }).click();
        await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
        await checkAxe(page);
        await takeScreenshots(page, 'fields-create');
        await form.getByLabel('Key').fill('plan');
        await form.getByLabel('Filterable').click();
      });
      await create('Renewal date', 'Date');
      await create('Appointment', 'Date and time');
      await create('Balance', 'Number');
      await create('Agreed', 'Yes or no');
      await create('Account', 'Link');
      await page.getByRole('row').filter({ hasText: 'Account' }).waitFor();
      const row = page.getByRole('row').filter({ hasText: 'Plan' });
      assert.match(await row.innerText(), /Plan\s+\{\{plan\}\}\s+Choice\s+gold\s+silver\s+Yes/);
      await checkAxe(page);
      await takeScreenshots(page, 'fields');
      await row.getByRole('button', { name: 'Actions for Plan' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit Plan' });
      assert.equal(await edit.getByLabel('Type').isDisabled(), true);
      await edit.getByLabel('Options').fill('gold\nsilver\nbronze');
      await edit.getByRole('button', { name: 'Save' }).click();
      await row.getByText('bronze').waitFor();
    }));

  it('A contact shows every type with its own editor, and values are changed and cleared in place', () =>
    fixture.visit(`/contacts/${contact.id}`, async (page) => {
      const edit = async (label: string, enter: () => Promise<unknown>) => {
        await page.getByRole('button', { name: `Edit ${label}` }).click();
        await enter();
        await page.getByRole('button', { name: 'Save', exact: true }).click();
      };
      await edit('Plan', () => page.getByLabel('Plan').selectOption('gold'));
      await valueSaved(page, 'gold Edit Plan');
      await edit('Renewal date', () => page.getByLabel('Renewal date').fill('2027-01-31'));
      await valueSaved(page, '31 Jan 2027 Edit Renewal date');
      await edit('Appointment', () => page.getByLabel('Appointment').fill('2027-07-01T10:00'));
      await valueSaved(page, '1 Jul 2027, 10:00 Edit Appointment');
      await edit('Balance', () => page.getByLabel('Balance').fill('1,5'));
      await page.getByText('Enter a number without thousands separators, for example 12.5.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'contact-fields-edit');
      await page.getByLabel('Balance').fill('-12.5');
      await page.keyboard.press('Enter');
      await edit('Agreed', () => page.getByLabel('Agreed').selectOption('No'));
      await edit('Account', () => page.getByLabel('Account').fill('example.com'));
      await page.getByText('Must be a web address').waitFor();
      await page.getByLabel('Account').fill('https://example.com/7');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Open Account' }).waitFor();
      for (const name of ['-12.5 Edit Balance', 'No Edit Agreed', 'https://example.com/7 Edit Account'])
        await valueSaved(page, name);
      assert.deepEqual(await stored(), {
        account: 'https://example.com/7',
        agreed: false,
        appointment: '2027-07-01T08:00:00.000Z',
        balance: -12.5,
        plan: 'gold',
        renewal_date: '2027-01-31',
      });
      await checkAxe(page);
      await takeScreenshots(page, 'contact-fields');
      await page.getByRole('button', { name: 'Edit Agreed' }).click();
      await page.getByRole('button', { name: 'Clear' }).click();
      await valueSaved(page, 'Not set Edit Agreed');
      await page
        .getByRole('list', { name: 'Timeline' })
        .getByText('Changed: Agreed', { exact: true })
        .first()
        .waitFor();
      assert.equal('agreed' in (await stored()), false);
    }));

  it('A value that someone else changed meanwhile is not overwritten without asking', () =>
    fixture.visit(`/contacts/${contact.id}`, async (page) => {
      await page.getByRole('button', { name: 'Edit Balance' }).click();
      await page.getByLabel('Balance').fill('7');
      await fixture.service.patch(`/v1/contacts/${contact.id}`, { fields: { balance: 99 } });
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Someone else changed this contact' });
      const balance = dialog.getByRole('region', { name: 'Balance' });
      assert.match(await balance.innerText(), /Theirs\s+99\s+Yours\s+7/);
      await checkAxe(page);
      await dialog.getByRole('button', { name: 'Save mine' }).click();
      await valueSaved(page, '7 Edit Balance');
      assert.equal((await stored()).balance, 7);
    }));

  it('The list shows fields as columns, and a new contact can have values', () =>
    fixture.visit('/contacts?add=true', async (page) => {
      const form = page.getByRole('dialog', { name: 'Add contact' });
      await form.getByLabel('Phone number').fill('+12025550199');
      await form.getByText('Fields', { exact: true }).click();
      await form.getByLabel('Plan').selectOption('silver');
      await form.getByLabel('Balance').fill('many');
      await form.getByRole('button', { name: 'Add contact' }).click();
      await form.getByText('Enter a number without thousands separators').waitFor();
      await form.getByLabel('Balance').fill('20');
      await checkAxe(page);
      await takeScreenshots(page, 'contact-create-fields');
      await form.getByRole('button', { name: 'Add contact' }).click();
      await form.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Columns' }).click();
      for (const name of ['Plan', 'Renewal date', 'Balance', 'Account'])
        await page.getByRole('checkbox', { name }).click();
      await page.keyboard.press('Escape');
      const row = page.getByRole('row').filter({ hasText: 'Ada Lovelace' });
      await row.getByText('gold').waitFor();
      assert.match(await row.innerText(), /gold\s+31 Jan 2027\s+7\s+example\.com\/7/);
      assert.match(await page.getByRole('row').filter({ hasText: 'silver' }).innerText(), /silver\s+20/);
      await checkAxe(page);
      await takeScreenshots(page, 'contacts-fields');
    }));

  it('The editor completes fields and declared variables, and the preview is rendered for a contact', () =>
    fixture.visit(`/agents/${agent}`, async (page) => {
      const editor = instructionsEditor(page);
      await editor.click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('Your {{pla');
      const options = page.getByRole('listbox', { name: 'Variables' }).getByRole('option');
      await options.first().waitFor();
      const offered = await options.locator('.cm-completionLabel').allInnerTexts();
      assert.deepEqual(offered.slice(0, 2), ['{{plan}}', '{{plan|…}}']);
      // The editor ignores these keys until the list has been open for 75 ms.
      await page.waitForTimeout(100);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.type('contract');
      assert.equal(await editor.textContent(), 'Your {{plan|contract}}');

      await replaceInstructions(page, 'Come at {{slot');
      await page.getByText('{{slot is unknown.').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Declare slot' }).count(), 0);

      await replaceInstructions(
        page,
        '{{first_name}}: {{plan}}, {{company}}, {{company|you}}, {{appointment}}, {{slot}}.',
      );
      await page.getByRole('button', { name: 'Declare slot' }).click();
      const variables = page.getByRole('dialog', { name: 'Variables of this agent' });
      assert.equal(await variables.getByLabel('Name').inputValue(), 'slot');
      await variables.getByLabel('Description').fill('The time to confirm');
      await variables.getByLabel('Example').fill('Tuesday at ten');
      await checkAxe(page);
      await takeScreenshots(page, 'agent-variables');
      await variables.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Variables saved.').waitFor();
      await page.locator('.cm-unknown-variable').waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Try it' }).click();
      const dialog = page.getByRole('dialog', { name: 'Try the edited text' });
      await dialog.getByRole('combobox', { name: 'Contact' }).fill('Ada');
      await dialog.getByRole('option', { name: /Ada/ }).waitFor();
      await page.keyboard.press('Enter');
      const preview = dialog.getByRole('region', { name: 'Rendered text' });
      await preview.getByText('Tuesday at ten').waitFor();
      await dialog.getByText('1 value missing').waitFor();
      const textsOf = (kind: string) => preview.locator(`[data-part=${kind}] bdi`).allInnerTexts();
      assert.deepEqual(await textsOf('missing'), ['{{company}}']);
      assert.deepEqual(await textsOf('fallback'), ['you']);
      const [name, plan, appointment, slot] = await textsOf('value');
      assert.deepEqual([name, plan, slot], ['Ada', 'gold', 'Tuesday at ten']);
      assert.match(appointment ?? '', /^2027-07-01T\d\d:00:00[+-]/);
      await dialog.getByLabel('slot').fill('noon');
      await preview.getByText('noon').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'agent-preview-fields');
    }));

  it('A member sees the fields without actions', async () => {
    const member = await signedInUser(fixture.service, 'member@example.com', 'member');
    await fixture.visit(
      '/settings?tab=fields',
      async (page) => {
        await page.getByRole('row').filter({ hasText: 'Renewal date' }).waitFor();
        await page.getByText('Only owners can change this.').waitFor();
        assert.equal(await page.getByRole('button', { name: /Create field|Actions/ }).count(), 0);
        await checkAxe(page);
      },
      { user: member },
    );
  });

  it('An archived field is restored, and its values are erased after typing its key', () =>
    fixture.visit('/settings?tab=fields', async (page) => {
      const row = page.getByRole('row').filter({ hasText: 'Renewal date' });
      const choose = async (item: string) => {
        await row.getByRole('button', { name: 'Actions for Renewal date' }).click();
        await page.getByRole('menuitem', { name: item }).click();
      };
      const archive = async () => {
        await choose('Archive…');
        await page.getByRole('button', { name: 'Archive field' }).click();
        await row.getByText('Archived').waitFor();
      };
      await archive();
      assert.equal('renewal_date' in (await stored()), false);
      await choose('Restore');
      await row.getByText('Archived').waitFor({ state: 'detached' });
      assert.equal((await stored()).renewal_date, '2027-01-31');
      await archive();
      await choose('Erase values…');
      const confirm = page.getByRole('dialog', { name: 'Erase all values of Renewal date?' });
      const erase = confirm.getByRole('button', { name: 'Erase values' });
      assert.equal(await erase.isDisabled(), true);
      await checkAxe(page);
      await takeScreenshots(page, 'fields-erase');
      await confirm.getByLabel('Type renewal_date to confirm').fill('renewal_date');
      await erase.click();
      await page.getByText('The values of Renewal date are being erased.').waitFor();
    }));
});
