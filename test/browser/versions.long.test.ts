import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  type BrowserFixture,
  checkAxe,
  inBrowser,
  isUncovered,
  OWNER,
  takeScreenshots,
} from '../kit/browser/browser.ts';
import { editorShows, instructionsEditor, replaceInstructions } from '../kit/browser/editor.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import type { Json } from '../kit/service/test-service.ts';
import { deliverEvent, newCallEvent } from '../kit/webhooks/providers.ts';

const newAgent = async (fixture: BrowserFixture, name: string, ...texts: string[]): Promise<string> => {
  const [instructions, ...rest] = texts;
  const reply = await fixture.owner.call('POST', '/agents', { name, instructions });
  assert.equal(reply.status, 201, reply.text);
  const { id } = reply.body.data;
  for (const text of rest)
    await fixture.owner.call('PATCH', `/agents/${id}`, { instructions: text, based_on: 'v1' });
  return id;
};
const deploy = async (fixture: BrowserFixture, id: string, label: string, note: string): Promise<Json> => {
  const reply = await fixture.owner.call('POST', `/agents/${id}/versions/${label}/deploy`, { note });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.data;
};

inBrowser('Version pages', (fixture) => {
  it('From a call it is two clicks to the text that the caller heard and to who deployed it', async () => {
    const id = await newAgent(fixture, 'Alma', 'Greet {{first_name}} {{last_nmae}}.', 'Be brief.');
    const { body } = await fixture.owner.call('POST', '/channels', {
      kind: 'phone',
      name: 'Front desk',
      address: '+14155550142',
    });
    const channel = body.data;
    await fixture.owner.call('PUT', `/channels/${channel.id}/agent`, { agent_id: id });
    await fixture.owner.call('POST', `/agents/${id}/versions/v1/deploy`, {
      note: 'Opening day',
      confirm_unknown_variables: true,
    });
    const record = (fields: Json) => deliverEvent(fixture.service, channel, newCallEvent(fields));
    await record({ status: 'completed', seconds: 80, number: '+14155550143' });
    await record({ status: 'completed', seconds: 40 });
    await record({ status: 'no_answer' });
    await deploy(fixture, id, 'v2', 'Shorter');
    const [call] = (await fixture.owner.call('GET', '/calls?limit=1')).body.data;
    await fixture.visit(`/calls?call=${call.id}`, async (page) => {
      await page.getByRole('dialog').getByRole('link', { name: 'v1' }).click();
      await page.waitForURL(`**/agents/${id}/versions/v1?at=**`);
      await page.getByRole('heading', { level: 1, name: 'v1 of Alma' }).waitFor();
      await page.getByText(/^Live on .*: deployed .* by /).waitFor();
      const text = page.getByRole('textbox', { name: 'Instructions of v1' });
      await text.getByText('Greet').waitFor();
      await page.locator('.cm-unknown-variable').waitFor();
      assert.deepEqual(await page.locator('.cm-variable').allInnerTexts(), ['{{first_name}}']);
      assert.deepEqual(await page.locator('.cm-unknown-variable').allInnerTexts(), ['{{last_nmae}}']);
      const deploys = page.getByRole('list', { name: 'Deploys' }).getByRole('listitem');
      await deploys.first().waitFor();
      const [first] = await deploys.allInnerTexts();
      assert.match(first ?? '', /v1[\s\S]*first deploy[\s\S]*Opening day/);
      assert.ok(first?.includes(OWNER));
      await page.getByText('67%').waitFor();
      await page.getByText('1:00').waitFor();
      const outcomes = page.getByRole('list', { name: 'Calls by status' }).getByRole('listitem');
      assert.deepEqual(await outcomes.allInnerTexts(), ['Completed 2', 'No answer 1']);
      await page.getByText(`Written just now by ${OWNER}`).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'version');

      await page.getByRole('button', { name: 'Compare with…' }).click();
      await page.getByRole('menuitem', { name: 'v2 (deployed)' }).click();
      await page.waitForURL('**?compare=v1..v2');
      await page.getByText('1 difference').waitFor();
      await page.getByLabel('From').selectOption('v2');
      await page.waitForURL('**?compare=v2..v2');
      await page.goBack();
      await page.goBack();
      await page.getByRole('link', { name: 'Show all calls' }).waitFor();
      await page.getByRole('button', { name: 'Roll back to v1' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 unknown variable').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();

      await page.goto(`${fixture.service.url}/agents/${id}/versions/v2`);
      await page.getByText('based on v1').waitFor();
      await page.getByRole('link', { name: 'v1' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'v1 of Alma' }).waitFor();
      await page.goto(`${fixture.service.url}/agents/${id}/versions/v9`);
      await page.getByText('This agent has no such version.').waitFor();
      await page.goto(`${fixture.service.url}/agents/xyz`);
      await page.getByText('Not found').waitFor();
    });
  });

  it('The agent page says which version was live at a date and time', async () => {
    const id = await newAgent(fixture, 'Berta', 'One.', 'Two.');
    await deploy(fixture, id, 'v1', 'First');
    await fixture.service.database.query(
      "update deploys set deployed_at = '2026-11-01T08:00:00.000Z' where agent_id = ?",
      id,
    );
    await deploy(fixture, id, 'v2', 'Second');
    await fixture.visit(`/agents/${id}`, async (page) => {
      await page.getByLabel('Active on').fill('2026-11-03T10:15');
      await page.getByText('v1 was live.').waitFor();
      await page.getByText(new RegExp(`^Deployed .*2026.* by ${OWNER}`)).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'agent-active-on');
      await page.reload();
      await page.getByText('v1 was live.').waitFor();
      await page.getByLabel('Active on').fill('2026-10-03T10:15');
      await page.getByText('No version was live at that time.').waitFor();
      await page.getByLabel('Active on').fill('2026-11-03T10:15');
      await page.getByText('v1 was live.').getByRole('link', { name: 'v1' }).click();
      await page.waitForURL('**/versions/v1?at=2026-11-03T**');
      await page.getByText(/^Live on .*: deployed /).waitFor();
    });
  });

  it('After a rollback the editor opens the deployed text and offers the newer draft', async () => {
    const id = await newAgent(fixture, 'Carla', 'One.', 'Two.');
    await deploy(fixture, id, 'v1', '');
    await deploy(fixture, id, 'v2', '');
    await fixture.owner.call('PATCH', `/agents/${id}`, { instructions: 'Three.', based_on: 'v2' });
    await fixture.visit(`/agents/${id}`, async (page) => {
      await page.getByText('v3, the latest version.').waitFor();
      const versions = page.getByRole('list', { name: 'Versions' });
      await versions.getByRole('button', { name: 'Roll back to v1' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back to v1' }).click();
      await page.getByText('The editor shows v1, which is live. v3 is newer.').waitFor();
      await editorShows(page, 'One.');
      await takeScreenshots(page, 'agent-rolled-back');
      await page.getByRole('button', { name: 'Open v3' }).click();
      await page.getByText('v3, the latest version.').waitFor();
      await editorShows(page, 'Three.');
      await page.goBack();
      await page.getByText('v1, the deployed version.').waitFor();
      await editorShows(page, 'One.');
      await replaceInstructions(page, 'Four.');
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('v4, the latest version.').waitFor();
      await versions.getByText(`Created just now by ${OWNER}`).first().waitFor();
      const origin = await fixture.owner.call('GET', `/agents/${id}/versions/v4`);
      assert.equal(origin.body.data.based_on.version_label, 'v1');

      await page.getByRole('button', { name: 'More actions for v2' }).click();
      await page.getByRole('menuitem', { name: 'Edit from this version' }).click();
      await page.waitForURL('**?edit=v2');
      await page.getByText('The editor shows v2. v4 is newer.').waitFor();
      await editorShows(page, 'Two.');
      await replaceInstructions(page, 'Two and a half.');
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('v5, the latest version.').waitFor();
      await page.waitForURL((url) => !url.searchParams.has('edit'));
      const next = await fixture.owner.call('GET', `/agents/${id}/versions/v5`);
      assert.equal(next.body.data.based_on.version_label, 'v2');
    });
  });

  it('On a phone, the header of an agent rolls back without scrolling, and the history compares with the previous version', async () => {
    const id = await newAgent(fixture, 'Erna', 'One.', 'Two.');
    await deploy(fixture, id, 'v1', '');
    await fixture.visit(
      `/agents/${id}`,
      async (page) => {
        const rollback = page.locator('header').getByRole('button', { name: /^Roll back/ });
        await page.getByText('v2, the latest version.').waitFor();
        assert.equal(await rollback.count(), 0, 'nothing was deployed before');
        await deploy(fixture, id, 'v2', '');
        await page.reload();
        await rollback.waitFor();
        const { y = 0, height = 0 } = (await rollback.boundingBox()) ?? {};
        assert.ok(y > 0 && y + height < 844, `${y}`);
        await checkAxe(page);
        await takeScreenshots(page, 'agent-header-rollback');

        await page.getByRole('button', { name: 'Compare with previous: v1 and v2' }).click();
        const comparison = page.getByRole('heading', { name: 'Compare v1 and v2' });
        await page.waitForURL('**?compare=v1..v2');
        await comparison.waitFor();
        await page.waitForFunction(() => {
          const [heading] = [...document.querySelectorAll('h2')].filter((each) =>
            each.textContent?.startsWith('Compare'),
          );
          const { top = -1 } = heading?.getBoundingClientRect() ?? {};
          return top >= 0 && top < innerHeight;
        });
        await checkAxe(page);
        await page.getByRole('button', { name: 'Close comparison' }).click();

        await rollback.click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('v2 is currently deployed.').waitFor();
        await dialog.getByRole('button', { name: 'Roll back to v1' }).click();
        await page.getByText('Rolled back to v1.').waitFor();
        await rollback.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Compare with previous: v2 and v1' }).waitFor();
        const agent = await fixture.owner.call('GET', `/agents/${id}`);
        assert.equal(agent.body.data.deployed_version.version_label, 'v1');
      },
      { width: 390, height: 844 },
    );
  });

  it('Variables are inserted from a menu or completed while typing, and the preview fills in a contact', async () => {
    const id = await newAgent(fixture, 'Dora', 'Hello.');
    await makeContact(fixture.service, { first_name: 'Zoë', company: 'Acme', phone_number: '+14155550151' });
    await makeContact(fixture.service, { first_name: 'Ada', phone_number: '+14155550152' });
    await fixture.visit(`/agents/${id}`, async (page) => {
      const editor = instructionsEditor(page);
      await editor.click();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type(' Dear {{fi');
      const list = page.getByRole('listbox', { name: 'Variables' });
      await list.getByRole('option', { name: '{{first_name}}' }).waitFor();
      // The bar below the editor must not cover it.
      assert.equal(await isUncovered(list), true);
      await checkAxe(page);
      await takeScreenshots(page, 'agent-completion');
      await page.keyboard.press('Enter');
      assert.equal(await editor.textContent(), 'Hello. Dear {{first_name}}');
      await page.keyboard.type(' of ');
      await page.getByRole('button', { name: 'Insert variable' }).click();
      await page.getByRole('menuitem', { name: /^Company/ }).click();
      await page.waitForFunction(() => document.activeElement?.classList.contains('cm-content'));
      await page.keyboard.type(', {{city}}.');
      await page.keyboard.press('Escape');
      assert.equal(await editor.textContent(), 'Hello. Dear {{first_name}} of {{company}}, {{city}}.');

      await page.getByRole('button', { name: 'Try it' }).click();
      const dialog = page.getByRole('dialog', { name: 'Try the edited text' });
      const preview = dialog.getByRole('region', { name: 'Rendered text' });
      await preview.getByText('Ada').waitFor();
      await dialog.getByText('1 value missing').waitFor();
      await dialog.getByText('1 unknown variable.').waitFor();
      assert.deepEqual(await preview.locator('[data-part=missing] bdi').allInnerTexts(), ['{{company}}']);
      assert.deepEqual(await preview.locator('[data-part=unknown] bdi').allInnerTexts(), ['{{city}}']);
      await checkAxe(page);
      await takeScreenshots(page, 'agent-preview');
      await dialog.getByRole('combobox', { name: 'Contact' }).fill('Zoë');
      await dialog.getByRole('option', { name: /Zoë/ }).waitFor();
      await page.keyboard.press('Enter');
      await preview.getByText('Acme').waitFor();
      assert.equal(await preview.innerText(), 'Hello. Dear Zoë of Acme, {{city}}.');
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('link', { name: 'Agents' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
      await page.goBack();
      await editor.getByText('{{city}}.').waitFor();
    });
  });

  it('A new agent starts from a template, gets a channel in the same dialog, and is duplicated', () =>
    fixture.visit('/agents?add=true', async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Emil');
      await dialog.getByLabel('Start from').selectOption({ label: 'Appointment reminder' });
      assert.match(await dialog.getByLabel('Instructions').inputValue(), /^You call \{\{first_name\}\}/);
      assert.equal(await page.getByRole('list', { name: 'Unknown variables' }).count(), 0);
      await takeScreenshots(page, 'agent-template');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Keep editing' }).click();
      await dialog.getByRole('button', { name: 'Create agent' }).click();
      await page.getByRole('heading', { level: 1, name: 'Emil' }).waitFor();

      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await dialog.getByRole('button', { name: 'Create channel' }).click();
      await dialog.getByLabel('Name').fill('Help chat');
      await dialog.getByLabel('Type').selectOption('web_chat');
      await dialog.getByLabel('Address').fill('example.com/help');
      assert.match((await dialog.getByLabel('Agent').locator('option:checked').textContent()) ?? '', /^Emil/);
      await dialog.getByRole('button', { name: 'Create channel' }).click();
      await dialog.getByText('Help chat created').waitFor();
      await dialog.getByRole('button', { name: /^I've copied/ }).click();
      await page.getByRole('list', { name: 'Connected channels' }).getByText('Help chat').waitFor();

      await page.getByRole('button', { name: 'More actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Duplicate agent' }).click();
      await page.getByRole('heading', { level: 1, name: 'Copy of Emil' }).waitFor();
      await page.getByText('No channels connected. Connect one to make this agent live.').waitFor();
      assert.match((await instructionsEditor(page).textContent()) ?? '', /^You call \{\{first_name\}\}/);
      await page.getByRole('list', { name: 'Versions' }).getByRole('link', { name: 'v1' }).click();
      await page.getByText('based on v1 (Emil)').waitFor();
      await checkAxe(page);
    }));
});
