import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { type BrowserFixture, checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import {
  editorShows,
  instructionsEditor,
  isCaretUncovered,
  replaceInstructions,
} from '../kit/browser/editor.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { PASSWORD, signedInUser } from '../kit/dashboard/users.ts';

const TEXT = [
  '# Role',
  'You are the **order desk**. Be _brief_ with {{first_name}}.',
  '## Prices',
  '- Read them out',
  '- Never offer a `discount`',
  '```',
  '# not a heading',
  '```',
  ...Array.from({ length: 60 }, (_, at) => `Line ${at + 1}`),
  '# Hand over',
  'Say goodbye.',
].join('\n');

const newAgent = async ({ service, owner }: BrowserFixture): Promise<string> => {
  const user = await checkedUser(service, owner);
  return (await user.request('POST', '/agents', { name: 'Order desk', instructions: TEXT }, 201)).id;
};
const versionsOf = async ({ owner }: BrowserFixture, id: string): Promise<number> =>
  (await owner.call('GET', `/agents/${id}`)).body.data.versions.length;
const caretLine = (page: Page) =>
  page.evaluate(() => {
    const node = getSelection()?.focusNode;
    return (node instanceof Element ? node : node?.parentElement)?.closest('.cm-line')?.textContent;
  });

inBrowser('The editor of instructions', (fixture) => {
  it('Markdown is styled, and the outline jumps to a heading', async () => {
    const id = await newAgent(fixture);
    await fixture.visit(`/agents/${id}`, async (page) => {
      await instructionsEditor(page).waitFor();
      const texts = (selector: string) => instructionsEditor(page).locator(selector).allTextContents();
      assert.deepEqual(await texts('.cm-heading'), ['# Role', '## Prices']);
      assert.deepEqual(await texts('.cm-strong'), ['**order desk**']);
      assert.deepEqual(await texts('.cm-emphasis'), ['_brief_']);
      assert.deepEqual(await texts('.cm-code'), ['`discount`']);
      assert.deepEqual(await texts('.cm-marker'), ['- ', '- ']);
      await page.getByRole('button', { name: 'Outline' }).click();
      const items = page.getByRole('menuitem');
      await items.first().waitFor();
      assert.deepEqual(await items.allTextContents(), ['Role', 'Prices', 'Hand over']);
      await items.last().click();
      await instructionsEditor(page).getByText('# Hand over').waitFor();
      await page.waitForFunction(isCaretUncovered);
      assert.equal(await caretLine(page), '# Hand over');
    });
  });

  it('The editor fills the screen by button and by key, keeps its undo history, and Escape leaves it', async () => {
    const id = await newAgent(fixture);
    await fixture.visit(`/agents/${id}`, async (page) => {
      await instructionsEditor(page).waitFor();
      await replaceInstructions(page, `${TEXT} Bye.`);
      await page.getByRole('button', { name: 'Full-screen editor' }).click();
      await page.getByRole('button', { name: 'Leave full screen' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'agent-full-screen');
      const isInert = (element: Element) => (element as HTMLElement).inert;
      assert.equal(await page.locator('aside').first().evaluate(isInert), true, 'what is behind is inert');
      await page
        .getByRole('navigation', { name: 'Outline' })
        .getByRole('button', { name: 'Hand over' })
        .click();
      assert.equal(await caretLine(page), '# Hand over');
      await page.keyboard.press('ControlOrMeta+End');
      await page.waitForFunction(isCaretUncovered);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Full-screen editor' }).waitFor();
      await page.keyboard.press('ControlOrMeta+.');
      await page.getByRole('button', { name: 'Leave full screen' }).waitFor();
      await instructionsEditor(page).press('ControlOrMeta+z');
      await page.keyboard.press('ControlOrMeta+.');
      await page.getByText('v1, the latest version.').waitFor();
      await page.setViewportSize({ width: 360, height: 740 });
      await page.keyboard.press('ControlOrMeta+.');
      await page.keyboard.press('ControlOrMeta+End');
      await page.waitForFunction(isCaretUncovered);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    });
  });

  it('What is typed is kept in the browser without new versions, and a version of someone else is a conflict', async () => {
    const id = await newAgent(fixture);
    await fixture.visit(`/agents/${id}`, async (page) => {
      await instructionsEditor(page).waitFor();
      await replaceInstructions(page, 'Typed and not saved.');
      await page.getByText('Kept in this browser').waitFor();
      assert.equal(await versionsOf(fixture, id), 1);
      await page.goto(`${fixture.service.url}/calls`);
      await fixture.service.patch(`/v1/agents/${id}`, { instructions: 'Theirs.' });
      await page.goto(`${fixture.service.url}/agents/${id}`);
      await editorShows(page, 'Typed and not saved.');
      await page.getByText('v2 was saved by someone else while you were editing.').waitFor();
      await page.getByRole('button', { name: 'Compare' }).first().click();
      await page.getByRole('button', { name: 'Save mine as v3' }).click();
      await page.getByText('v3, the latest version.').waitFor();
      assert.equal(await versionsOf(fixture, id), 3);
      await page.reload();
      await page.getByText('v3, the latest version.').waitFor();
      await editorShows(page, 'Typed and not saved.');
      assert.equal(await page.getByText('were restored').count(), 0);
    });
  });

  it('What is kept belongs to its user, and signing out removes it after a confirmation', async () => {
    const id = await newAgent(fixture);
    const email = 'leaving@example.com';
    const user = await signedInUser(fixture.service, email);
    const stored = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage }));
    const visit = async (page: Page, { cookie }: { readonly cookie: string }) => {
      const [name = '', value = ''] = cookie.split('=');
      await page.context().addCookies([{ name, value, url: fixture.service.url, httpOnly: true }]);
      await page.goto(`${fixture.service.url}/agents/${id}`);
    };
    await fixture.visit(
      `/agents/${id}`,
      async (page) => {
        await instructionsEditor(page).waitFor();
        await replaceInstructions(page, 'Typed in private.');
        await page.getByText('Kept in this browser').waitFor();
        await visit(page, fixture.owner);
        await page.getByText('v1, the latest version.').waitFor();
        assert.equal(await instructionsEditor(page).getByText('Typed in private.').count(), 0);
        await visit(page, user);
        await editorShows(page, 'Typed in private.');

        const dialog = page.getByRole('dialog', { name: 'Sign out?' });
        const signOut = async () => {
          await page.getByRole('button', { name: email }).click();
          await page.getByRole('menuitem', { name: 'Sign out' }).click();
          await dialog.waitFor();
        };
        await signOut();
        await checkAxe(page);
        await takeScreenshots(page, 'sign-out');
        await page.keyboard.press('Escape');
        await editorShows(page, 'Typed in private.');
        await replaceInstructions(page, 'Typed in private, just now.');
        await signOut();
        await dialog.getByRole('button', { name: 'Sign out' }).click();
        await page.waitForURL('**/sign-in');
        assert.doesNotMatch(await stored(page), /private/);
        await page.getByLabel('Email').fill(email);
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
        await page.goto(`${fixture.service.url}/agents/${id}`);
        await page.getByText('v1, the latest version.').waitFor();
        assert.doesNotMatch(await stored(page), /private/);
      },
      { user, expected: /401/ },
    );
  });
});
