import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type BrowserFixture, checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import {
  editorShows,
  instructionsEditor,
  isCaretUncovered,
  replaceInstructions,
} from '../kit/browser/editor.ts';
import type { Json } from '../kit/service/test-service.ts';

const newAgent = async (fixture: BrowserFixture, fields: Json = {}): Promise<string> => {
  const reply = await fixture.service.post('/v1/agents', { name: 'Alma', instructions: 'One.', ...fields });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.data.id;
};
const read = async (fixture: BrowserFixture, id: string): Promise<Json> =>
  (await fixture.service.get(`/v1/agents/${id}`)).body.data;

inBrowser('Agent pages', (fixture) => {
  it('The empty agent list offers to create the first agent, and creating it opens its page', () =>
    fixture.visit('/agents', async (page) => {
      await page.getByText('No agents yet').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'agents-empty');
      await page.getByRole('button', { name: 'Create agent' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Create agent' }).click();
      await dialog.getByText('Enter a name.').waitFor();
      await dialog.getByLabel('Name').fill('Alma');
      await dialog.getByLabel('Description').fill('Answers the front desk.');
      await dialog.getByLabel('Instructions').fill(`${'a'.repeat(49_999)}😀b`);
      await dialog.getByText('50,001 of 50,000 characters: 1 too many').waitFor();
      await dialog.getByRole('button', { name: 'Create agent' }).click();
      await dialog.getByText('Shorten the instructions').waitFor();
      await dialog.getByLabel('Instructions').fill('Be kind.');
      await checkAxe(page);
      await takeScreenshots(page, 'agents-create');
      await dialog.getByRole('button', { name: 'Create agent' }).click();
      await page.waitForURL(/\/agents\/[0-9a-f-]{36}$/);
      await page.getByRole('heading', { level: 1, name: 'Alma' }).waitFor();
      const { body } = await fixture.service.get('/v1/agents');
      assert.deepEqual([body.data[0].name, body.data[0].description], ['Alma', 'Answers the front desk.']);
    }));

  it('The agent list shows the deployed version and the number of channels', async () => {
    const id = await newAgent(fixture, { name: 'Bruno' });
    const { versions } = await read(fixture, id);
    await fixture.owner.call('POST', `/agents/${id}/versions/${versions[0].id}/deploy`);
    const made = await fixture.owner.call('POST', '/channels', {
      kind: 'web_chat',
      name: 'Site',
      address: 'example.com',
    });
    await fixture.owner.call('PUT', `/channels/${made.body.data.id}/agent`, { agent_id: id });
    await fixture.visit('/agents', async (page) => {
      const row = page.getByRole('row', { name: /Bruno/ });
      await row.getByText('v1 deployed', { exact: true }).waitFor();
      await row.getByRole('cell', { name: '1', exact: true }).waitFor();
      const other = page.getByRole('row', { name: /Alma/ });
      await other.getByText('Not deployed').waitFor();
      assert.equal(await other.getByRole('cell').nth(2).textContent(), '0');
      await checkAxe(page);
      await takeScreenshots(page, 'agents');
      await other.getByRole('link', { name: 'Alma' }).click();
      await page.getByRole('heading', { level: 1, name: 'Alma' }).waitFor();
    });
  });
  it('Instructions may have exactly 50,000 characters and not one more', async () => {
    const id = await newAgent(fixture);
    await fixture.visit(`/agents/${id}`, async (page) => {
      await instructionsEditor(page).waitFor();
      await page.getByText('4 of 50,000 characters').waitFor();
      const most = `${'word '.repeat(9_999)}😀end.`;
      await replaceInstructions(page, `${most}!`);
      await page.getByText('50,001 of 50,000 characters: 1 too many').waitFor();
      assert.ok(await page.getByRole('button', { name: 'Save draft' }).isDisabled());
      await page.keyboard.press('ControlOrMeta+s');
      await checkAxe(page);
      await takeScreenshots(page, 'agent-too-long');
      await page.keyboard.press('Backspace');
      await page.getByText('50,000 of 50,000 characters: limit reached').waitFor();
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('Draft saved.').waitFor();
      const versions = (await read(fixture, id)).versions;
      assert.equal(versions.length, 2);
      const saved = await fixture.owner.call('GET', `/agents/${id}/versions/${versions[0].id}`);
      assert.equal(saved.body.data.instructions, most);
    });
  });

  for (const [width, height] of [
    [1360, 850],
    [1440, 900],
    [1366, 768],
    [390, 844],
    [680, 425],
    [195, 422],
  ] as const) {
    it(`The caret in a long prompt is never covered in a window of ${width} × ${height}`, async () => {
      const id = await newAgent(fixture, { instructions: 'Be kind to everyone.\n'.repeat(120) });
      await fixture.visit(
        `/agents/${id}`,
        async (page) => {
          await instructionsEditor(page).click();
          for (const keys of ['ControlOrMeta+End', 'a', 'Enter', 'b', 'PageUp', 'ControlOrMeta+Home', 'c']) {
            await page.keyboard.press(keys);
            await page.waitForFunction(isCaretUncovered).catch(() => {
              throw new Error(`The caret is covered after ${keys}`);
            });
          }
          await page.keyboard.press('ControlOrMeta+End');
          await page.waitForFunction(isCaretUncovered);
        },
        { width, height },
      );
    });
  }

  it('The editor keeps every line ending as it was written', async () => {
    const id = await newAgent(fixture, { instructions: 'One.\r\nTwo.\r\n' });
    await fixture.visit(`/agents/${id}`, async (page) => {
      await instructionsEditor(page).click();
      assert.ok(await page.getByRole('button', { name: 'Save draft' }).isDisabled(), 'nothing is typed yet');
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type('Three.');
      await page.keyboard.press('Enter');
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('v2, the latest version.').waitFor();
      const { versions } = await read(fixture, id);
      const saved = await fixture.owner.call('GET', `/agents/${id}/versions/${versions[0].id}`);
      assert.equal(saved.body.data.instructions, 'One.\r\nTwo.\r\nThree.\r\n');
    });
  });

  it('A failed save keeps the text, and leaving the page keeps it in the browser until it is saved or discarded', async () => {
    const id = await newAgent(fixture);
    await fixture.visit(
      `/agents/${id}`,
      async (page) => {
        await instructionsEditor(page).waitFor();
        await replaceInstructions(page, 'Not yet saved.');
        await page.context().setOffline(true);
        await page.getByRole('button', { name: 'Save draft' }).click();
        await page.getByText("Can't reach Roster.").waitFor();
        await editorShows(page, 'Not yet saved.');
        await page.context().setOffline(false);
        await page.getByText('Connection lost.').waitFor({ state: 'detached' });
        await page.getByRole('link', { name: 'Agents' }).first().click();
        await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
        await page.goBack();
        await page.getByText(/^Your unsaved changes from .* were restored\.$/).waitFor();
        await editorShows(page, 'Not yet saved.');
        await page.reload();
        await editorShows(page, 'Not yet saved.');
        await checkAxe(page);
        await takeScreenshots(page, 'agent-restored');
        await page.getByRole('button', { name: 'Discard changes' }).first().click();
        await editorShows(page, 'One.');
        await page.getByRole('button', { name: 'Undo' }).click();
        await editorShows(page, 'Not yet saved.');
        await page.getByRole('button', { name: 'Save draft' }).click();
        await page.getByText('v2, the latest version.').waitFor();
        await page.getByRole('link', { name: 'Agents' }).first().click();
        await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
      },
      { expected: /ERR_INTERNET_DISCONNECTED/ },
    );
  });

  it('A concurrent edit of instructions shows both texts and lets the user choose', async () => {
    const id = await newAgent(fixture);
    const theirs = (instructions: string) => fixture.service.patch(`/v1/agents/${id}`, { instructions });
    await fixture.visit(`/agents/${id}`, async (page) => {
      await instructionsEditor(page).waitFor();
      await replaceInstructions(page, 'Mine.');
      await theirs('Theirs.');
      await page.keyboard.press('ControlOrMeta+s');
      const dialog = page.getByRole('dialog', { name: 'v2 was saved while you were editing' });
      await dialog.getByRole('textbox', { name: 'Theirs: v2' }).getByText('Theirs.').waitFor();
      await dialog.getByRole('textbox', { name: 'Your version (not saved)' }).getByText('Mine.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'agent-conflict');
      assert.equal((await read(fixture, id)).versions.length, 2, 'nothing is written before the choice');
      await dialog.getByRole('button', { name: 'Save mine as v3' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('v3, the latest version.').waitFor();

      await replaceInstructions(page, 'Mine again.');
      await theirs('Theirs again.');
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByRole('button', { name: 'Use v4, discard mine' }).click();
      await page.getByText('v4, the latest version.').waitFor();
      await editorShows(page, 'Theirs again.');
      assert.deepEqual(
        (await read(fixture, id)).versions.map((each: Json) => each.version_label),
        ['v4', 'v3', 'v2', 'v1'],
      );
    });
  });

  it('Saving instructions shows no conflict when only the name changed', async () => {
    const id = await newAgent(fixture);
    await fixture.visit(`/agents/${id}`, async (page) => {
      await instructionsEditor(page).waitFor();
      await replaceInstructions(page, 'Two.');
      await fixture.service.patch(`/v1/agents/${id}`, { name: 'Renamed' });
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('v2, the latest version.').waitFor();
      await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    });
  });

  it('The name and description of an agent are edited in place, and concurrent edits are reported', async () => {
    const id = await newAgent(fixture);
    await fixture.visit(`/agents/${id}`, async (page) => {
      await page.getByRole('button', { name: 'Edit name and description' }).click();
      await page.getByLabel('Name').fill('Mine');
      await page.getByLabel('Description').fill('My words.');
      await fixture.service.patch(`/v1/agents/${id}`, { name: 'Theirs' });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Theirs', { exact: true }).last().waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'agent-facts-conflict');
      assert.equal((await read(fixture, id)).name, 'Theirs');
      await dialog.getByRole('button', { name: 'Save mine' }).click();
      await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
      const now = await read(fixture, id);
      assert.deepEqual([now.name, now.description], ['Mine', 'My words.']);
      assert.equal(now.versions.length, 1, 'no version comes of a name');
    });
  });

  it('The dialog that deletes an agent lists the consequences', async () => {
    const id = await newAgent(fixture, { name: 'Carla' });
    const channel = (
      await fixture.owner.call('POST', '/channels', { kind: 'phone', name: 'Line', address: '+14155550150' })
    ).body.data;
    await fixture.owner.call('PUT', `/channels/${channel.id}/agent`, { agent_id: id });
    await fixture.owner.call('POST', '/campaigns', { name: 'Spring', agent_id: id, status: 'active' });
    await fixture.visit(`/agents/${id}`, async (page) => {
      await page
        .getByText("No version is deployed, so this agent doesn't answer on these channels.")
        .waitFor();
      await page.getByRole('button', { name: 'More actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Delete agent…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 channel will be disconnected: Line.').waitFor();
      await dialog.getByText('1 active campaign will be paused: Spring.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'agent-delete');
      await dialog.getByRole('button', { name: 'Delete agent' }).click();
      await page.getByText('Carla deleted.').waitFor();
      await page.waitForURL('**/agents');
      assert.equal((await fixture.service.get(`/v1/agents/${id}`)).status, 404);
      await page.goto(`${fixture.service.url}/agents/${id}`);
      await page.getByText('Not found').waitFor();
    });
  });
});
