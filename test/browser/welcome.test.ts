import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';

const EMAIL = 'ada@example.com';
const NEW_PASSWORD = 'difference engine no. 2';

inBrowser('First sign-in by a link', (fixture) => {
  const makeLink = async (): Promise<string> => {
    const { body: users } = await fixture.owner.call('GET', '/users');
    const known = users.data.find((user: { email: string }) => user.email === EMAIL);
    const person =
      known ??
      (await fixture.owner.call('POST', '/users', { email: EMAIL, password: 'a password to be forgotten' }))
        .body.data;
    const { body } = await fixture.owner.call('POST', `/users/${person.id}/link`);
    return body.data.url_path;
  };

  it('The first sign-in by a link asks for a password and then opens the dashboard', async () => {
    const path = await makeLink();
    const visit = (work: Parameters<typeof fixture.visit>[1]) =>
      fixture.visit(path, work, { signedIn: false });
    await visit(async (page) => {
      await page.getByText(`You are signed in as ${EMAIL}.`).waitFor();
      assert.equal(new URL(page.url()).hash, '');
      await checkAxe(page);
      await takeScreenshots(page, 'welcome');
      await page.goto(`${fixture.service.url}/contacts`);
      await page.waitForURL('**/welcome');
      await page.getByLabel('New password').fill('short');
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByText('Use at least 12 characters.').waitFor();
      await page.getByLabel('New password').fill(NEW_PASSWORD);
      await page.getByLabel('Confirm password').fill('another one');
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByText("The passwords don't match.").waitFor();
      await checkAxe(page);
      await page.getByLabel('Confirm password').fill(NEW_PASSWORD);
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    });
    await visit(async (page) => {
      await page.getByText('This link has expired or was already used.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'welcome-used');
      await page.getByRole('link', { name: 'Go to sign-in' }).click();
      await page.getByLabel('Email').fill(EMAIL);
      await page.getByLabel('Password').fill(NEW_PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    });
  });
});
