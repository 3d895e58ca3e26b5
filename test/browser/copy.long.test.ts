import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { hasFocus } from '../kit/browser/waits.ts';

/** Plain HTTP on a host name is not a secure context: navigator.clipboard does not exist. */
const insecure = { host: 'roster.test', expected: /Cross-Origin-Opener-Policy/ };

/** The content of the clipboard, pasted into a field of another page. */
const pasted = async (page: Page): Promise<string> => {
  const other = await page.context().newPage();
  try {
    await other.setContent('<textarea autofocus></textarea>');
    await other.locator('textarea').focus();
    await other.keyboard.press('Control+V');
    return await other.locator('textarea').inputValue();
  } finally {
    await other.close();
  }
};

const createKey = async (page: Page): Promise<string> => {
  assert.equal(await page.evaluate(() => isSecureContext), false);
  await page.getByRole('textbox', { name: 'Name' }).fill('Website form');
  await page.getByRole('button', { name: 'Create API key' }).last().click();
  const key = page.getByRole('dialog').locator('code').first();
  await key.waitFor();
  return (await key.textContent()) ?? '';
};

inBrowser('Copying over plain HTTP', (fixture) => {
  it('A new key is copied by keyboard, and the example below it by mouse', () =>
    fixture.visit(
      '/settings?tab=keys&add=true',
      async (page) => {
        const key = await createKey(page);
        await hasFocus(page.getByRole('button', { name: 'Copy key' }));
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
        assert.equal(await pasted(page), key);
        await page.getByRole('button', { name: 'Copy: Terminal example' }).click();
        assert.match(await pasted(page), new RegExp(`^curl .*\\s.*${key}"$`));
        await page
          .getByRole('button', { name: 'Copied', exact: true })
          .first()
          .waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Copy key' }).click();
        assert.equal(await pasted(page), key);
      },
      insecure,
    ));

  it('The values of a channel are copied, or selected for the keyboard where the browser refuses', async () => {
    const channel = { kind: 'web_chat', name: 'Site chat', address: 'chat.example.com' };
    const { id } = (await fixture.owner.call('POST', '/channels', channel)).body.data;
    await fixture.visit(
      `/channels?channel=${id}`,
      async (page) => {
        const copy = page.getByRole('dialog').getByRole('button', { name: /^Copy/ }).first();
        await copy.click();
        await page.getByText('Copied', { exact: true }).first().waitFor();
        const text = await pasted(page);
        assert.match(text, /roster\.test/);
        await page.getByText('Copied', { exact: true }).first().waitFor({ state: 'detached' });
        await page.evaluate(() => {
          document.execCommand = () => false;
        });
        await copy.click();
        const manual = page.getByRole('dialog', { name: 'Press Ctrl+C to copy' });
        await manual.waitFor();
        assert.equal(await page.getByText('Copied', { exact: true }).count(), 0);
        await checkAxe(page);
        await takeScreenshots(page, 'copy-manually');
        const selected = await page.evaluate(() => getSelection()?.toString());
        assert.equal(selected, text);
        await page.keyboard.press('Control+C');
        assert.equal(await pasted(page), text);
        await page.keyboard.press('Escape');
        await manual.waitFor({ state: 'detached' });
        await hasFocus(copy);
      },
      insecure,
    );
  });
});
