import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkAxe, inBrowser, OWNER, takeScreenshots } from '../kit/browser/browser.ts';
import { PASSWORD } from '../kit/dashboard/users.ts';

inBrowser('Sign-in', (fixture) => {
  it('A sign-in returns to the requested page', () =>
    fixture.visit(
      '/contacts?search=ada',
      async (page) => {
        await page.waitForURL('**/sign-in?return=**');
        await page.getByLabel('Email').fill(OWNER);
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.waitForURL('**/contacts?search=ada');
        await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
        assert.equal(await page.getByLabel('Search contacts').inputValue(), 'ada');
      },
      { signedIn: false },
    ));

  it('A wrong password is reported, and the email stays in its field', () =>
    fixture.visit(
      '/sign-in',
      async (page) => {
        await checkAxe(page);
        await takeScreenshots(page, 'sign-in');
        await page.getByLabel('Email').fill(OWNER);
        await page.getByLabel('Password').fill('not the password');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('alert').getByText('Incorrect email or password.').waitFor();
        assert.equal(await page.getByLabel('Email').inputValue(), OWNER);
        assert.equal(await page.getByLabel('Password').inputValue(), '');
        await checkAxe(page);
      },
      { signedIn: false },
    ));

  it('The sign-in names the empty field', () =>
    fixture.visit(
      '/sign-in',
      async (page) => {
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByText('Enter your email.').waitFor();
        await page.getByText('Enter your password.').waitFor();
        await page.locator('[name=email]:focus').waitFor();
        await checkAxe(page);
        await page.keyboard.type(OWNER);
        await page.keyboard.press('Enter');
        await page.locator('[name=password]:focus').waitFor();
      },
      { signedIn: false },
    ));

  it('A sign-in does not redirect to another site', () =>
    fixture.visit(
      '/sign-in?return=//example.com/',
      async (page) => {
        await page.getByLabel('Email').fill(OWNER);
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
        assert.equal(new URL(page.url()).origin, fixture.service.url);
      },
      { signedIn: false },
    ));

  it('An expired session asks for a sign-in in place and keeps the typed text', () =>
    fixture.visit('/contacts?add=true', async (page) => {
      await page.getByLabel('Phone number').fill('+12125550177');
      await page.getByLabel('First name').fill('Grace');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Add contact' }).last().click();
      await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
      assert.equal(await page.getByLabel('First name').inputValue(), 'Grace');
      await page.getByText('Your session ended, so nothing was saved. Try again.').waitFor();
      assert.equal(await page.getByText('/dashboard/api').count(), 0);
      await page.getByRole('button', { name: 'Add contact' }).last().click();
      await page.getByText('Grace added.').waitFor();
    }));

  it('The user menu signs out', () =>
    fixture.visit(
      '/sign-in',
      async (page) => {
        await page.getByLabel('Email').fill(OWNER);
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('button', { name: OWNER }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        await page.getByRole('heading', { name: 'Sign in to Roster' }).waitFor();
        await page.goto(`${fixture.service.url}/contacts`);
        await page.waitForURL('**/sign-in?return=**');
      },
      { signedIn: false },
    ));
});
