import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { replaceInstructions } from '../kit/browser/editor.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent } from '../kit/fixtures/calls.ts';
import type { Json } from '../kit/service/test-service.ts';

const SCHEMA = {
  type: 'object',
  required: ['model'],
  additionalProperties: false,
  properties: {
    model: {
      type: 'object',
      description: 'The language model',
      properties: {
        name: { enum: ['small', 'large'], description: 'Which model speaks' },
        temperature: { type: 'number', minimum: 0, maximum: 2 },
      },
    },
    voice: { type: 'string', description: 'The voice of the speech service' },
  },
};

const configEditor = (page: Page) => page.getByRole('textbox', { name: 'Configuration', exact: true });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });

inBrowser('Configurations', (fixture) => {
  let owner: CheckedUser;
  let agent: Json;
  before(async () => {
    owner = await checkedUser(fixture.service, fixture.owner);
    agent = await makeDeployedAgent(owner, 'Front desk', 'Greet {{first_name}}.');
  });

  /** A version's config as it is stored. */
  const storedConfig = async (label: string): Promise<string> => {
    const { versions } = await owner.request('GET', `/agents/${agent.id}`);
    const { id } = versions.find((each: Json) => each.version_label === label);
    const { text } = await fixture.service.get(`/v1/agents/${agent.id}/versions/${id}`);
    return /"config":(\{.*\})\}\}$/s.exec(text)?.[1] ?? text;
  };

  it('A schema is typed with completion, and an invalid one is refused with its path', () =>
    fixture.visit(`/agents/${agent.id}?part=config`, async (page) => {
      await configEditor(page).waitFor();
      await takeScreenshots(page, 'config-empty');
      await page.getByRole('button', { name: 'Schema', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Schema of the configuration' });
      const editor = dialog.getByRole('textbox', { name: 'Schema', exact: true });
      await editor.click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText('{"type": "text"}');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('The schema is not valid. Nothing was saved.').waitFor();
      await dialog.getByRole('list', { name: 'Problems' }).getByText('type:', { exact: true }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'config-schema');
      await editor.click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('{"ty');
      await option(page, '"type"').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(JSON.stringify(SCHEMA, null, 2));
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Schema saved. It applies to new versions.').waitFor();
      const saved = await owner.request('GET', `/agents/${agent.id}/config-schema`);
      assert.deepEqual(saved.schema, SCHEMA);
    }));

  it('A configuration is edited with completion, saved with the instructions, compared and deployed', () =>
    fixture.visit(`/agents/${agent.id}`, async (page) => {
      await replaceInstructions(page, 'Greet {{first_name}} warmly.');
      await page.getByRole('tab', { name: 'Configuration' }).click();
      await configEditor(page).click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('{"mo');
      await option(page, /^"model"\s*object, required/).waitFor();
      await page.getByText('The language model').waitFor();
      await takeScreenshots(page, 'config-completion');
      await option(page, '"model"').click();
      await page.keyboard.type('"na');
      await option(page, '"name"').click();
      await option(page, '"large"').click();
      await page.keyboard.type(', "temperature": 1.0, "x": ');
      await page.getByRole('list', { name: 'Problems' }).getByText('A value is missing here.').waitFor();
      const save = page.getByRole('button', { name: 'Save draft' });
      assert.equal(await save.isDisabled(), true, 'no valid JSON');
      await page.keyboard.press('ControlOrMeta+a');
      const typed = '{ "model": {"name": "huge",\n  "temperature": 1.0} }';
      await page.keyboard.insertText(typed);
      await page
        .getByRole('list', { name: 'Problems' })
        .getByRole('button', { name: 'model.name: This must be one of ["small","large"].' })
        .waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'config-problem');
      await save.click();
      await page.getByText('The configuration is not valid. Nothing was saved.').waitFor();
      const valid = typed.replace('huge', 'large');
      await configEditor(page).click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(valid);
      await page.getByRole('list', { name: 'Problems' }).waitFor({ state: 'detached' });
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('v2, the latest version.').waitFor();
      assert.equal(await storedConfig('v2'), valid, 'byte for byte');
      const { versions } = await owner.request('GET', `/agents/${agent.id}`);
      assert.equal(versions.length, 2, 'one version has both');

      await page.getByRole('button', { name: 'Format' }).click();
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('v3, the latest version.').waitFor();
      assert.match(
        await storedConfig('v3'),
        /^\{\n {2}"model": \{\n {4}"name": "large",\n {4}"temperature": 1\.0\n/,
      );

      await page.goto(`${fixture.service.url}/agents/${agent.id}?compare=v1..v3`);
      const changes = page.getByRole('region', { name: 'Changes of the configuration' });
      await changes.getByText('model', { exact: true }).waitFor();
      await changes.getByText('Added').waitFor();
      await page.getByText('1 difference').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'config-compare');

      await page.goto(`${fixture.service.url}/agents/${agent.id}?deploy=v3`);
      const dialog = page.getByRole('dialog', { name: 'Deploy v3' });
      await dialog.getByText('1 change of the configuration').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'config-deploy');
      await dialog.getByRole('button', { name: 'Deploy v3' }).click();
      await page.getByText('v3 deployed.').waitFor();
      await page.goto(`${fixture.service.url}/agents/${agent.id}/versions/v3`);
      await page.getByRole('textbox', { name: 'Configuration of v3' }).waitFor();
      await page.getByText('The versions differ only in how the configuration is formatted.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'config-version');
    }));

  it('Of two configurations that are saved at the same moment, the second one is a conflict', async () => {
    const { id } = await makeDeployedAgent(owner, 'Shared', 'One.');
    const path = `/agents/${id}/versions`;
    await fixture.visit(`/agents/${id}?part=config`, async (page) => {
      await page.route('**/versions', async (route) => {
        if (route.request().method() === 'POST')
          await owner.request('POST', path, { config: { theirs: 1 } }, 201);
        await route.continue();
      });
      await configEditor(page).click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText('{"mine": 1}');
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.getByRole('dialog', { name: 'v2 was saved while you were editing' }).waitFor();
      const { versions } = await owner.request('GET', `/agents/${id}`);
      assert.equal(versions.length, 2);
    });
  });

  it('Problems are marked at their places in a configuration with CRLF, and Format gives it lines', async () => {
    const { id } = await makeDeployedAgent(owner, 'Windows', 'One.');
    const config = '{\r\n"model": {},\r\n"voice": 5\r\n}';
    const raw = `{"config":${config}}`;
    assert.equal(
      (await fixture.service.call('POST', `/v1/agents/${id}/versions`, undefined, { raw })).status,
      201,
    );
    await owner.request('PUT', `/agents/${id}/config-schema`, { schema: SCHEMA });
    await fixture.visit(`/agents/${id}?part=config`, async (page) => {
      const problem = page.locator('.cm-problem');
      await problem.waitFor();
      assert.deepEqual(await problem.allTextContents(), ['5']);
      await page.getByRole('button', { name: 'Format' }).click();
      await page.getByText('Unsaved changes.').waitFor();
      assert.equal(await configEditor(page).locator('.cm-line').count(), 4);
    });
  });
});
