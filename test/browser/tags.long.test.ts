import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkAxe, inBrowser, isUncovered, takeScreenshots } from '../kit/browser/browser.ts';
import { makeContact } from '../kit/fixtures/factories.ts';

inBrowser('Tags', (fixture) => {
  const make = (tags: string[]) => makeContact(fixture.service, { tags });
  const totalOf = async (tag: string): Promise<number> =>
    (await fixture.service.get(`/v1/contacts?tag=${encodeURIComponent(tag)}`)).body.pagination.total;

  it('A workspace without tags says how they appear', () =>
    fixture.visit('/tags', async (page) => {
      await page.getByText('No tags yet').waitFor();
      await checkAxe(page);
    }));

  it('A tag is found, renamed with its count, and shown with its contacts', async () => {
    for (const tags of [['vip', 'north'], ['VIP'], ['VIP', 'north'], ['vip'], ['vip'], ['old name']])
      await make(tags);
    await fixture.visit('/tags', async (page) => {
      await page.getByText('4 tags').waitFor();
      await page.getByText('2 tags differ from each other only in case or accents.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'tags');
      await page.getByRole('button', { name: 'Contacts' }).click();
      await page.waitForURL('**sort=count');
      await page.getByLabel('Search tags').fill('old');
      await page.waitForURL('**search=old*');
      await page.getByRole('button', { name: 'Rename old name' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rename tag “old name”' });
      await dialog.getByText('1 contact has this tag.').waitFor();
      await dialog.getByRole('button', { name: 'Rename' }).click();
      await dialog.getByText('Enter a name that differs from the old one.').waitFor();
      await dialog.getByLabel('New name').fill('new name');
      await dialog.getByRole('button', { name: 'Rename' }).click();
      await page.getByText('Tag renamed on 1 contact.').waitFor();
      assert.deepEqual([await totalOf('old name'), await totalOf('new name')], [0, 1]);
      await page.getByText('No matching tags').waitFor();
    });
  });

  it('Tags that differ only in case are reviewed and merged after a confirmation with both counts', () =>
    fixture.visit('/tags', async (page) => {
      await page.getByRole('link', { name: 'Review' }).click();
      await page.waitForURL('**similar=true');
      await page.getByRole('button', { name: 'Rename VIP', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Rename tag “VIP”' });
      await dialog.getByText('The tag “vip” differs only in case and is on 3 contacts.').waitFor();
      await dialog.getByRole('button', { name: 'Merge with “vip”' }).click();
      await dialog.getByText('“vip” already exists on 3 contacts.').waitFor();
      await dialog
        .getByText('2 contacts with “VIP” will get this tag instead, and “VIP” will be deleted.')
        .waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'tags-merge');
      await dialog.getByRole('button', { name: 'Merge tags' }).click();
      await page.getByText('Tag renamed on 2 contacts.').waitFor();
      await page.getByText('No matching tags').waitFor();
      assert.deepEqual([await totalOf('VIP'), await totalOf('vip')], [0, 5]);
    }));

  it('The tooltip of an action covers no other control', () =>
    fixture.visit('/tags', async (page) => {
      for (const name of [/^Rename/, /^Merge/, /^Delete/]) {
        const button = page.getByRole('row').nth(2).getByRole('button', { name });
        await button.hover();
        const label = (await button.getAttribute('aria-label')) ?? '';
        const tip = page.locator('[popover]').filter({ hasText: label });
        await tip.waitFor();
        const covered = await tip.evaluate((element) => {
          const box = element.getBoundingClientRect();
          return [...document.querySelectorAll('main button')]
            .filter((other) => {
              const { left, right, top, bottom } = other.getBoundingClientRect();
              return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
            })
            .map((other) => other.getAttribute('aria-label'));
        });
        assert.deepEqual(covered, [], label);
        await page.mouse.move(0, 0);
        await tip.waitFor({ state: 'detached' });
      }
    }));

  it('A tag is deleted after a confirmation with its count', () =>
    fixture.visit('/tags', async (page) => {
      await page.getByRole('button', { name: 'Delete north' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete tag “north”?' });
      await dialog.getByText('The tag is removed from 2 contacts. The contacts remain.').waitFor();
      await takeScreenshots(page, 'tags-delete');
      await dialog.getByRole('button', { name: 'Delete tag' }).click();
      await page.getByText('Tags updated for 2 contacts.').waitFor();
      await page.getByText('2 tags', { exact: true }).waitFor();
      assert.equal(await totalOf('north'), 0);
    }));

  it('A tag is merged with another one that is chosen from a list', async () => {
    for (const tag of ['trade fair', 'fair']) await make([tag]);
    await fixture.visit('/tags', async (page) => {
      await page.getByRole('button', { name: 'Merge trade fair with another tag' }).click();
      const dialog = page.getByRole('dialog', { name: 'Merge tag “trade fair”' });
      await dialog.getByRole('button', { name: 'Merge tags' }).click();
      await dialog.getByText('Choose the tag to keep.').waitFor();
      await dialog.getByRole('combobox', { name: 'Tag to keep' }).fill('fair');
      await dialog.getByRole('option', { name: 'fair' }).click();
      await dialog.getByText('“fair” already exists on 1 contact.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'tags-merge-chosen');
      await dialog.getByRole('button', { name: 'Merge tags' }).click();
      await page.getByText('Tag renamed on 1 contact.').waitFor();
      assert.deepEqual([await totalOf('trade fair'), await totalOf('fair')], [0, 2]);
    });
  });

  it('Tags to remove are suggested with their counts, by pointer and by keyboard', async () => {
    const { first_name } = await makeContact(fixture.service, { first_name: 'Suggested', tags: ['spring'] });
    for (const tags of [['spring'], ['Frühling'], ['with, comma']]) await make(tags);
    await fixture.visit('/contacts', async (page) => {
      await page.getByLabel(`Select ${first_name}`).click();
      await page.getByRole('button', { name: 'Tag', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Tag 1 contact' });
      const field = dialog.getByRole('combobox', { name: 'Tags to remove' });
      const options = dialog.getByRole('option');
      await field.fill('spr');
      const option = dialog.getByRole('option', { name: 'spring 2 contacts' });
      await option.waitFor();
      assert.ok(await isUncovered(option), 'the dialog does not clip the list');
      await options.nth(1).waitFor({ state: 'detached' });
      await checkAxe(page);
      await takeScreenshots(page, 'tags-suggested');
      await field.press('Escape');
      await options.first().waitFor({ state: 'detached' });
      await dialog.waitFor();
      await field.press('ArrowDown');
      await dialog.getByRole('option', { name: 'spring', selected: true }).waitFor();
      assert.equal(
        await field.getAttribute('aria-activedescendant'),
        await option.getAttribute('id'),
        'a screen reader announces the active suggestion',
      );
      await field.press('Enter');
      await dialog.getByRole('button', { name: 'Remove spring' }).waitFor();
      assert.equal(await field.inputValue(), '');
      await field.fill('fruh');
      await dialog.getByRole('option', { name: 'Frühling 1 contact' }).click();
      await dialog.getByRole('button', { name: 'Remove Frühling' }).click();
      await field.fill('comma');
      await dialog.getByRole('option', { name: 'with, comma 1 contact' }).waitFor();
      await field.press('ArrowDown');
      await dialog.getByRole('option', { name: 'with, comma', selected: true }).waitFor();
      await field.press('Tab');
      await dialog.getByRole('button', { name: 'Remove with, comma' }).click();
      await dialog.getByRole('button', { name: 'Update tags' }).click();
      await page.getByText('Tags updated for 1 contact.').waitFor();
      assert.equal(await totalOf('spring'), 1);
    });
  });

  it('Tags to remove that no contact has are refused, and nothing starts', async () => {
    const { first_name } = await makeContact(fixture.service, { first_name: 'Refused', tags: ['autumn'] });
    await fixture.visit('/contacts', async (page) => {
      await page.getByLabel(`Select ${first_name}`).click();
      await page.getByRole('button', { name: 'Tag', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Tag 1 contact' });
      await dialog.getByLabel('Tags to remove').fill('autum');
      const started: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && !request.url().endsWith('/reads')) started.push(request.url());
      });
      await dialog.getByRole('button', { name: 'Update tags' }).click();
      await dialog.getByText('No contact has these tags: autum.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'tags-refused');
      await dialog.getByRole('button', { name: 'Update tags' }).click();
      await dialog.getByRole('button', { name: 'Remove autum', exact: true }).click();
      await dialog.getByText('Only tags that contacts have.').waitFor();
      assert.deepEqual(started, []);
      await dialog.getByLabel('Tags to remove').fill('autumn');
      await dialog.getByRole('button', { name: 'Update tags' }).click();
      await page.getByText('Tags updated for 1 contact.').waitFor();
      assert.equal(await totalOf('autumn'), 0);
    });
  });

  it('The tag of a webhook is suggested with its count', () =>
    fixture.visit('/webhooks', async (page) => {
      await page.getByRole('button', { name: 'Add endpoint' }).first().click();
      const field = page.getByRole('combobox', { name: 'Tag' });
      await field.click();
      await field.fill('VI');
      await page.getByRole('option', { name: /^vip \d contacts$/ }).click();
      assert.equal(await field.inputValue(), 'vip');
    }));
});
