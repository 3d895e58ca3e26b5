import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent } from '../kit/fixtures/calls.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import type { Json } from '../kit/service/test-service.ts';
import { answer, startReceiver } from '../kit/webhooks/receiver.ts';

inBrowser('Playground', (fixture) => {
  let owner: CheckedUser;
  let agent: Json;
  before(async () => {
    owner = await checkedUser(fixture.service, fixture.owner);
    agent = await makeDeployedAgent(
      owner,
      'Front desk',
      'Greet {{first_name}}.\nFrom {{company|us}}, {{notes}}.',
    );
    await makeContact(fixture.service, { first_name: 'Zoë' });
  });

  it('A version is tried for a contact, and in a chat once an owner has set a model', async (test) => {
    const reply = '<b>Hello</b> Zoë';
    const body = JSON.stringify({ choices: [{ message: { role: 'assistant', content: reply } }] });
    const { port, requests } = await startReceiver(test, answer(200, {}, body));
    await fixture.visit(`/agents/${agent.id}/versions/v1?preview=newest`, async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Try v1' });
      const gaps = dialog.getByRole('region', { name: 'Without a value' });
      await gaps.getByText('The runtime gets an empty text.').waitFor();
      assert.deepEqual(
        (await gaps.getByRole('listitem').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
        [
          '{{company|us}} line 2 The runtime gets the fallback “us”.',
          '{{notes}} line 2 The runtime gets an empty text.',
        ],
      );
      await checkAxe(page);
      await takeScreenshots(page, 'playground-text');
      await dialog.getByRole('tab', { name: 'Chat' }).click();
      await dialog.getByText('Chats are off').waitFor();
      await dialog.getByRole('link', { name: 'Set a chat model' }).click();
      await page.getByRole('textbox', { name: 'URL' }).fill(`http://127.0.0.1:${port}/v1`);
      await page.getByRole('textbox', { name: 'Model' }).fill('small');
      await page.getByLabel('API key', { exact: true }).fill('secret-key');
      await checkAxe(page);
      await takeScreenshots(page, 'settings-chat-model');
      const form = page.locator('form', { has: page.getByRole('textbox', { name: 'Model' }) });
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('A key is stored and never shown.').waitFor();
    });
    await fixture.visit(`/agents/${agent.id}/versions/v1?preview=newest`, async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Try v1' });
      await dialog.getByRole('tab', { name: 'Chat' }).click();
      await dialog.getByRole('textbox', { name: 'Message' }).fill('Hi there');
      await page.keyboard.press('Enter');
      const log = dialog.getByRole('log', { name: 'Chat' });
      await log.getByText(reply).waitFor();
      assert.equal(await log.locator('b').count(), 0, 'the reply is text only');
      assert.equal(requests[0]?.headers.authorization, 'Bearer secret-key');
      await checkAxe(page);
      await takeScreenshots(page, 'playground-chat');
    });
  });
});
