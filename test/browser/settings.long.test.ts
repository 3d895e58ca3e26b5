import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { checkAxe, inBrowser, isUncovered, OWNER, takeScreenshots } from '../kit/browser/browser.ts';
import { chooseFrom } from '../kit/browser/lists.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { PASSWORD, signedInUser, signIn } from '../kit/dashboard/users.ts';

inBrowser('Settings', (fixture) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await checkedUser(fixture.service, fixture.owner);
    // The owner of the first start is removed, so that one owner is left.
    const users = await owner.request('GET', '/users');
    for (const { id, email } of users) if (email !== OWNER) await owner.request('DELETE', `/users/${id}`);
  });

  it('A created key is shown once and can be revoked', () =>
    fixture.visit('/settings', async (page) => {
      await page.getByText('No API keys yet').waitFor();
      await checkAxe(page);
      await page.getByRole('button', { name: 'Create API key' }).first().click();
      await page.waitForURL('**/settings?tab=keys&add=true');
      const form = page.getByRole('dialog', { name: 'Create API key' });
      await form.getByLabel('Name').fill('Website form');
      await form.getByLabel('Scope').selectOption('Read only');
      await form.getByLabel('Expires').selectOption('Custom date');
      await form.getByLabel('Expiration date').fill('2020-01-01');
      await page.keyboard.press('Enter');
      await form.getByText('Choose today or a later date.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'settings-key-create');
      await form.getByLabel('Expires').selectOption('In 90 days');
      await form.getByRole('button', { name: 'Create API key' }).click();

      const once = page.getByRole('dialog', { name: 'Website form created' });
      await once.getByText("Copy the key now. You won't be able to see it again.").waitFor();
      const key = await once.locator('code').innerText();
      const read = () => fixture.service.get('/v1/contacts', { headers: { authorization: `Bearer ${key}` } });
      assert.equal((await read()).status, 200);
      await checkAxe(page);
      await takeScreenshots(page, 'settings-key');
      await once.getByRole('button', { name: "I've copied the key" }).click();
      assert.equal((await page.content()).includes(key), false);

      const row = page.getByRole('row').filter({ hasText: 'Website form' });
      assert.match(await row.innerText(), /Website form\s+rk_1_\S+…\s+Active\s+Read only/);
      await checkAxe(page);
      await takeScreenshots(page, 'settings-keys');
      await row.getByRole('button', { name: 'Revoke Website form' }).click();
      const confirm = page.getByRole('dialog', { name: 'Revoke Website form?' });
      await confirm.getByText('Requests that use this key will be rejected immediately.').waitFor();
      await checkAxe(page);
      await confirm.getByRole('button', { name: 'Revoke key' }).click();
      await row.getByText('Revoked').waitFor();
      assert.equal((await read()).status, 401);
    }));

  it('A key with selected scopes shows them in the list', () =>
    fixture.visit('/settings?tab=keys&add=true', async (page) => {
      const form = page.getByRole('dialog', { name: 'Create API key' });
      await form.getByLabel('Name').fill('Deploy job');
      await form.getByLabel('Scope').selectOption('Custom');
      await form.getByRole('button', { name: 'Create API key' }).click();
      const scopeError = form.getByText('Select at least one scope.');
      await scopeError.waitFor();
      await page.waitForFunction(() => document.activeElement?.matches('input[type=checkbox]'));
      assert.equal(await isUncovered(scopeError), true);
      await form.getByLabel('agents:read').click();
      await form.getByLabel('agents:deploy').click();
      await form.getByLabel('Rate limit').fill('often');
      await form.getByRole('button', { name: 'Create API key' }).click();
      const rateError = form.getByText('Must be a number from 1 to 1000000');
      await rateError.waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
      assert.equal(await isUncovered(rateError), true);
      await form.getByLabel('Rate limit').fill('');
      await checkAxe(page);
      await takeScreenshots(page, 'settings-key-scopes');
      await form.getByRole('button', { name: 'Create API key' }).click();
      const once = page.getByRole('dialog', { name: 'Deploy job created' });
      await once.getByRole('button', { name: "I've copied the key" }).click();
      const row = page.getByRole('row').filter({ hasText: 'Deploy job' });
      assert.match(await row.innerText(), /agents:read\s+agents:deploy/);
      await checkAxe(page);
      await takeScreenshots(page, 'settings-keys-scopes');
    }));

  it('A user is invited by a link and gets another role, and the last owner stays', () =>
    fixture.visit('/settings?tab=members', async (page) => {
      const chooseAction = async (email: string, action: string) => {
        await page.getByRole('button', { name: `Actions for ${email}` }).click();
        await page.getByRole('menuitem', { name: action }).click();
      };
      await chooseAction(OWNER, 'Remove');
      const own = page.getByRole('dialog', { name: 'Remove yourself?' });
      await own.getByRole('button', { name: 'Remove member' }).click();
      await own.getByText('This is the only owner. Make another user an owner first.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'settings-last-owner');
      await own.getByRole('button', { name: 'Cancel' }).click();

      await page.getByRole('button', { name: 'Add member' }).click();
      const form = page.getByRole('dialog', { name: 'Add member' });
      await form.getByLabel('Email').fill(OWNER);
      await page.keyboard.press('Enter');
      await form.getByText('A user with this email already exists in this workspace.').waitFor();
      await form.getByLabel('Email').fill('grace@example.com');
      await checkAxe(page);
      await page.keyboard.press('Enter');
      const once = page.getByRole('dialog', { name: 'grace@example.com added' });
      const first = await once.locator('code').innerText();
      assert.ok(first.startsWith(`${fixture.service.url}/welcome#`));
      await checkAxe(page);
      await takeScreenshots(page, 'settings-person-link');
      await once.getByRole('button', { name: "I've copied the link" }).click();

      await chooseAction('grace@example.com', 'Create sign-in link');
      const again = page.getByRole('dialog', { name: 'Sign-in link for grace@example.com' });
      const second = await again.locator('code').innerText();
      await again.getByRole('button', { name: "I've copied the link" }).click();
      const redeem = async (link: string) =>
        fixture.service.post(
          '/dashboard/api/session/link',
          { token: new URL(link).hash.slice(1) },
          { headers: { authorization: null } },
        );
      assert.equal((await redeem(first)).status, 401);
      assert.equal((await redeem(second)).status, 200);

      await chooseAction('grace@example.com', 'Make an owner');
      const confirm = page.getByRole('dialog', { name: 'Make grace@example.com an owner?' });
      await confirm.getByRole('button', { name: 'Make an owner' }).click();
      await page.getByText('grace@example.com is now an owner.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'settings-members');
      await chooseAction('grace@example.com', 'Remove');
      await page.getByRole('button', { name: 'Remove member' }).click();
      await page.getByText('grace@example.com removed.').waitFor();
      const users = await owner.request('GET', '/users');
      assert.deepEqual(
        users.map(({ email }: { email: string }) => email),
        [OWNER],
      );
    }));

  it('The default country and the time zone can be set', () =>
    fixture.visit('/settings?tab=workspace', async (page) => {
      await chooseFrom(page.getByLabel('Default country'), 'Germany');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Default country set to Germany.').waitFor();
      assert.equal((await owner.request('GET', '/settings')).default_country, 'DE');
      await chooseFrom(page.getByLabel('Time zone'), 'America/New York');
      await page.getByRole('button', { name: 'Save time zone' }).click();
      await page.getByText('Time zone set to America/New York.').waitFor();
      assert.equal((await owner.request('GET', '/settings')).time_zone, 'America/New_York');
      await checkAxe(page);
      await takeScreenshots(page, 'settings-workspace');
    }));

  it('Members see only their own settings, where they can change their password', async () => {
    await owner.request('POST', '/users', { email: 'member@example.com', password: PASSWORD }, 201);
    const user = await signedInUser(fixture.service, 'member@example.com');
    await fixture.visit(
      '/settings?tab=keys',
      async (page) => {
        await page.getByLabel('Current password').fill('not the right one');
        assert.deepEqual(await page.getByRole('tab').allInnerTexts(), [
          'Fields',
          'Calls',
          'Workspace',
          'Account',
        ]);
        const next = 'another horse battery';
        await page.getByLabel('New password').fill(next);
        await page.getByLabel('Confirm password').fill(next);
        await page.getByRole('button', { name: 'Change password' }).click();
        await page.getByText('Incorrect current password.').waitFor();
        assert.equal(await page.getByLabel('New password').inputValue(), next);
        await checkAxe(page);
        await takeScreenshots(page, 'settings-account');
        await page.getByLabel('Current password').fill(PASSWORD);
        await page.keyboard.press('Enter');
        await page.getByText('Password changed.').waitFor();
        await signIn(fixture.service, 'member@example.com', next);
        await page.getByRole('tab', { name: 'Workspace' }).click();
        await page.getByText('Only owners can change this.').waitFor();
        assert.equal(await page.getByLabel('Default country').count(), 0);
        await checkAxe(page);
      },
      { user },
    );
  });
});
