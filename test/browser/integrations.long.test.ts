import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { signedInUser } from '../kit/dashboard/users.ts';

inBrowser('Integrations', (fixture) => {
  const send = (address: string, secret: string) =>
    fixture.service.post(
      new URL(address).pathname,
      { phone_number: '+14155550123', first_name: 'Ada', crm_ids: { hubspot: '551' } },
      { headers: { authorization: `Bearer ${secret}` } },
    );

  it('Integrations are explained, created with a secret that is shown once, and deleted', () =>
    fixture.visit('/integrations', async (page) => {
      await page.getByText('An integration lets a CRM or another tool send contacts to Roster.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'integrations-empty');
      await page.getByRole('button', { name: 'Create integration' }).first().click();
      const form = page.getByRole('dialog', { name: 'Create integration' });
      await page.keyboard.press('Enter');
      await form.getByText('Enter a name.').waitFor();
      await form.getByLabel('Name').fill('Our CRM');
      await page.keyboard.press('Enter');

      const once = page.getByRole('dialog', { name: 'Our CRM created' });
      const secret = await once.locator('code').innerText();
      const address = await once.locator('pre').first().innerText();
      assert.equal(
        await once.locator('pre').nth(1).innerText(),
        [
          `curl -s "${address}" \\`,
          `  -H "Authorization: Bearer ${secret}" \\`,
          `  -H 'Content-Type: application/json' \\`,
          `  -d '{"phone_number": "+14155550123", "first_name": "Ada", "crm_ids": {"hubspot": "551"}}'`,
        ].join('\n'),
      );
      assert.equal((await send(address, secret)).status, 201);
      await checkAxe(page);
      await takeScreenshots(page, 'integration-secret');
      await once.getByRole('button', { name: "I've copied the secret" }).click();

      await page.getByRole('link', { name: 'Our CRM' }).waitFor();
      assert.equal((await page.content()).includes(secret), false);
      await checkAxe(page);
      await takeScreenshots(page, 'integrations');
      await page.getByRole('link', { name: 'Our CRM' }).click();
      const details = page.getByRole('dialog', { name: 'Our CRM' });
      assert.equal(await details.locator('pre').first().innerText(), address);
      await checkAxe(page);
      await takeScreenshots(page, 'integration');
      await details.getByRole('button', { name: 'Rotate secret' }).click();
      const confirmation = page.getByRole('dialog', { name: 'Rotate secret' });
      await confirmation.getByRole('button', { name: 'Rotate secret' }).click();
      const rotated = page.getByRole('dialog', { name: 'New secret' });
      const fresh = (await rotated.locator('code').first().innerText()).trim();
      await rotated.getByRole('button', { name: "I've copied the secret" }).click();
      await details.getByText('This secret was rotated. The old secret works until').waitFor();
      assert.deepEqual(
        [(await send(address, secret)).status, (await send(address, fresh)).status],
        [200, 200],
      );
      await details.getByRole('button', { name: 'Delete' }).click();
      const confirm = page.getByRole('dialog', { name: 'Delete Our CRM?' });
      await confirm.getByText('Contacts it created remain, with their CRM IDs.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'integration-delete');
      await confirm.getByRole('button', { name: 'Delete integration' }).click();
      await page.getByText('No integrations yet').waitFor();
      assert.equal((await send(address, fresh)).status, 401);
    }));

  it('The integrations page tells members that owner access is required', async () => {
    const user = await signedInUser(fixture.service, 'member@example.com', 'member');
    await fixture.visit(
      '/integrations',
      async (page) => {
        await page.getByText('Owner access required').waitFor();
        assert.equal(await page.getByRole('button', { name: 'Create integration' }).count(), 0);
        await checkAxe(page);
        await takeScreenshots(page, 'integrations-member');
      },
      { user },
    );
  });
});
