import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { inBrowser } from '../kit/browser/browser.ts';
import { instructionsEditor, replaceInstructions } from '../kit/browser/editor.ts';
import { PASSWORD } from '../kit/dashboard/users.ts';
import { makeAgent, makeContact } from '../kit/fixtures/factories.ts';

const busy = {
  code: 'UNAVAILABLE',
  message: 'The service is busy. Try again shortly.',
  request_id: 'req_test',
};

/** Fails the next write to a URL. */
const failOnce = (page: Page, address: string) =>
  page.route(
    `**/v1/${address}`,
    (route) => route.fulfill({ status: 503, json: { success: false, error: busy } }),
    {
      times: 1,
    },
  );

inBrowser('Failures during work', (fixture) => {
  let agent: { id: string; name: string };
  before(async () => {
    agent = await makeAgent(fixture.service, { name: 'Front desk', instructions: 'First words.' });
  });

  it('After a session expires, the user continues on the same page and can save the typed text', () =>
    fixture.visit(`/agents/${agent.id}?page=2`, async (page) => {
      const address = page.url();
      await replaceInstructions(page, 'Words worth keeping.');
      await page.context().clearCookies();
      await page.keyboard.press('Control+s');
      await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByLabel('Password').fill('not the password');
      await page.keyboard.press('Enter');
      await page.getByText('Incorrect email or password.').waitFor();
      await page.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
      assert.equal(page.url(), address);
      assert.equal(await instructionsEditor(page).innerText(), 'Words worth keeping.');
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.getByText('Draft saved.').waitFor();
    }));

  it('A page or palette that cannot be loaded keeps the old page, and loads after reconnecting', () =>
    fixture.visit(
      '/agents?add=true',
      async (page) => {
        const name = page.getByRole('textbox', { name: 'Name' });
        await name.fill('Typed');
        await page.context().setOffline(true);
        await page.keyboard.press('Control+k');
        const palette = page.getByRole('dialog', { name: 'Command palette' });
        await palette.getByText("You're offline.").waitFor();
        assert.equal(await name.inputValue(), 'Typed');
        await page.context().setOffline(false);
        await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor();
        await page.getByText('Connection lost.').waitFor({ state: 'detached' });

        await page.goto(`${fixture.service.url}/agents`);
        await page.getByRole('link', { name: 'Front desk' }).waitFor();
        await page.context().setOffline(true);
        await page.getByRole('link', { name: 'Campaigns' }).click();
        await page.getByText('Connection lost.').waitFor();
        await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
        await page.context().setOffline(false);
        await page.getByText('No campaigns yet').waitFor();
      },
      { expected: /ERR_INTERNET_DISCONNECTED/ },
    ));

  it('A command palette that cannot be loaded says so, and the page keeps its text', () =>
    fixture.visit(
      '/agents?add=true',
      async (page) => {
        await page.route('**/assets/command-palette-*', (route) => route.abort());
        await page.getByRole('textbox', { name: 'Name' }).fill('Typed');
        await page.keyboard.press('Control+k');
        const palette = page.getByRole('dialog', { name: 'Command palette' });
        await palette.getByText("This couldn't be loaded.").waitFor();
        await palette.getByRole('button', { name: 'Close' }).first().click();
        await palette.waitFor({ state: 'detached' });
        assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Typed');
      },
      { expected: /ERR_FAILED/ },
    ));

  /* Each: where it opens, what is typed, the button, where it is sent, and what is said when it was taken. */
  const forms = [
    [
      '/agents?add=true',
      { Name: 'Kept agent', Instructions: 'Kept words.' },
      'Create agent',
      'agents',
      'Kept agent',
    ],
    ['/campaigns?add=true', { Name: 'Kept campaign' }, 'Create campaign', 'campaigns', 'Kept campaign'],
    [
      '/channels?add=true',
      { Name: 'Kept channel', 'Phone number': '+12125550142' },
      'Create channel',
      'channels',
      'Kept channel created',
    ],
    [
      '/integrations?add=true',
      { Name: 'Kept CRM' },
      'Create integration',
      'integrations',
      'Kept CRM created',
    ],
    ['/settings?tab=keys&add=true', { Name: 'Kept key' }, 'Create API key', 'keys', 'Kept key created'],
    [
      '/settings?tab=members&add=true',
      { Email: 'kept@example.com' },
      'Add member',
      'users',
      'kept@example.com added',
    ],
  ] as const;

  it('A failed save keeps the typed text, and it can be sent again', () =>
    fixture.visit('/', async (page) => {
      for (const [path, typed, button, address, message] of forms) {
        await page.goto(fixture.service.url + path);
        const form = page.getByRole('dialog');
        for (const [label, text] of Object.entries(typed)) await form.getByLabel(label).fill(text);
        if (address === 'campaigns') await form.getByLabel('Agent').selectOption({ index: 1 });
        await failOnce(page, address);
        await form.getByRole('button', { name: button }).click();
        await form.getByRole('alert').getByText(busy.message).waitFor();
        for (const [label, text] of Object.entries(typed))
          assert.equal(
            (await form.getByLabel(label).inputValue()).replaceAll(' ', ''),
            text.replaceAll(' ', ''),
          );
        await form.getByRole('button', { name: button }).click();
        await page.getByText(message).first().waitFor();
      }
    }));

  it('A record deleted by another user is reported, and no typed text is lost', async () => {
    const contact = await makeContact(fixture.service, { first_name: 'Ada' });
    const doomed = await makeAgent(fixture.service, { name: 'Doomed' });
    await fixture.visit('/contacts', async (page) => {
      await page.getByRole('link', { name: 'Ada' }).waitFor();
      await fixture.service.delete(`/v1/contacts/${contact.id}`);
      await page.getByRole('link', { name: 'Ada' }).click();
      await page.getByText('No such contact in this workspace. It may have been deleted').waitFor();

      await page.goto(`${fixture.service.url}/agents/${doomed.id}`);
      await replaceInstructions(page, 'A long text.');
      await fixture.service.delete(`/v1/agents/${doomed.id}`);
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.getByText('This agent was deleted.').waitFor();
      assert.equal(await instructionsEditor(page).innerText(), 'A long text.');
    });
  });

  it('The URL of an unknown record shows Not found', () =>
    fixture.visit('/', async (page) => {
      const none = '00000000-0000-7000-8000-000000000000';
      for (const [path, what] of [
        [`/agents/${none}`, 'agent'],
        ['/campaigns/none', 'campaign'],
        ['/import/none', 'import'],
        ['/channels?channel=none', 'channel'],
        ['/calls?call=none', 'call'],
        ['/integrations?integration=none', 'integration'],
      ] as const) {
        await page.goto(fixture.service.url + path);
        await page.getByText(`No such ${what} in this workspace. It may have been deleted`).waitFor();
      }
    }));
});
