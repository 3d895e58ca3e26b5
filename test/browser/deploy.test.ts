import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { checkAxe, inBrowser, OWNER, takeScreenshots } from '../kit/browser/browser.ts';
import { instructionsEditor, replaceInstructions } from '../kit/browser/editor.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { getAgentFromHook, type TestChannel } from '../kit/webhooks/channel-hooks.ts';

const FIRST = 'You are the receptionist.\nGreet {{first_name}}.\nBe brief.';
const SECOND = 'You are the receptionist.\nGreet {{first_name}} of {{company}}.\nBe brief.\nSay goodbye.';

inBrowser('Deploys', (fixture) => {
  let channel: TestChannel;
  const activeInstructions = async () => {
    const reply = await getAgentFromHook(fixture.service, channel);
    return reply.status === 200 ? reply.body.data.instructions : reply.status;
  };
  before(async () => {
    const reply = await fixture.owner.call('POST', '/channels', {
      kind: 'phone',
      name: 'Front desk',
      address: '+14155550199',
    });
    channel = reply.body.data;
  });

  it('An agent is created, deployed, edited, deployed again and rolled back', () =>
    fixture.visit('/agents?add=true', async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Receptionist');
      await dialog.getByLabel('Instructions').fill(FIRST);
      await dialog.getByRole('button', { name: 'Create agent' }).click();
      await page.getByRole('heading', { level: 1, name: 'Receptionist' }).waitFor();
      await page.getByText('Not deployed').waitFor();
      const id = page.url().split('/').at(-1) ?? '';
      assert.equal(await activeInstructions(), 404);

      await page.getByRole('button', { name: 'Connect' }).click();
      await dialog.getByLabel('Channel').selectOption({ label: 'Front desk · Phone +14155550199' });
      await dialog
        .getByText("This channel won't answer until you deploy a version of Receptionist.")
        .waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'agent-connect');
      await dialog.getByRole('button', { name: 'Connect' }).click();
      await page.getByText('Front desk connected.').waitFor();
      assert.equal(await activeInstructions(), 404, 'connected, but nothing is deployed');

      await page.getByRole('button', { name: 'Deploy v1' }).first().click();
      await dialog.getByText('1 channel will use v1 immediately').waitFor();
      const number = dialog.getByText('Front desk · Phone +14155550199').locator('.figure > span');
      await number.nth(3).waitFor();
      assert.deepEqual(await number.allInnerTexts(), ['+1', '415', '555', '0199'], 'grouped for reading');
      await dialog.getByText('Optional. Why are you deploying this?').waitFor();
      await dialog.getByText('First deploy: 3 lines of instructions').waitFor();
      await dialog.getByLabel('Note').fill('Opening day');
      await dialog.getByRole('button', { name: 'Deploy v1' }).click();
      await page.getByText('v1 deployed.').waitFor();
      await page.getByText('v1 deployed', { exact: true }).waitFor();
      assert.equal(await activeInstructions(), FIRST);

      await replaceInstructions(page, SECOND);
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('v2, the latest version.').waitFor();
      assert.equal(await activeInstructions(), FIRST, 'a draft is heard nowhere');

      const contact = await makeContact(fixture.service, { first_name: 'Ada' });
      const campaign = await fixture.owner.call('POST', '/campaigns', {
        name: 'Spring',
        agent_id: id,
        status: 'active',
      });
      await fixture.owner.call('POST', `/campaigns/${campaign.body.data.id}/enrollments`, {
        contact_ids: [contact.id],
      });

      await page.getByLabel('Compare v2').click();
      await page.getByText('Select another version to compare with v2.').waitFor();
      await page.getByLabel('Compare v1').click();
      await page.waitForURL('**?compare=v1..v2');
      await page.getByRole('heading', { name: 'Compare v1 and v2' }).waitFor();
      await page.getByText('1 difference').waitFor();
      await page.getByRole('textbox', { name: 'v1, deployed' }).getByText('Greet').waitFor();
      await page.getByRole('textbox', { name: 'v2, draft' }).getByText('Say goodbye.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'agent-compare');
      await page.reload();
      await page.getByText('1 difference').waitFor();
      await page.getByRole('button', { name: 'Close comparison' }).click();

      await page.getByRole('button', { name: 'Deploy v2' }).first().click();
      await dialog.getByText('1 channel will switch from v1 to v2 immediately').waitFor();
      await dialog.getByText('1 active campaign with 1 enrolled contact').waitFor();
      await dialog.getByText('{{company}} is missing for 1 of 1 contact').waitFor();
      await dialog.getByText('2 lines added, 1 removed').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'agent-deploy');
      await dialog.getByRole('button', { name: 'Deploy v2' }).click();
      await page.getByText('v2 deployed', { exact: true }).waitFor();
      assert.equal(await activeInstructions(), SECOND);

      const versions = page.getByRole('list', { name: 'Versions' });
      await versions.getByText('Archived').waitFor();
      await versions.getByRole('button', { name: 'Roll back to v1' }).click();
      await dialog.getByText('v2 is currently deployed.').waitFor();
      await dialog.getByText('Optional. Why are you rolling back?').waitFor();
      await dialog.getByLabel('Note').fill('Too long');
      await takeScreenshots(page, 'agent-roll-back');
      await dialog.getByRole('button', { name: 'Roll back to v1' }).click();
      await page.getByText('Rolled back to v1.').waitFor();
      await page.getByText('v1 deployed', { exact: true }).waitFor();
      assert.equal(await activeInstructions(), FIRST);
      const again = versions.getByRole('button', { name: 'Redeploy v2' });
      assert.equal(await again.innerText(), 'Redeploy');

      const deploys = page.getByRole('list', { name: 'Deploys' }).getByRole('listitem');
      await deploys.nth(2).waitFor();
      const texts = await deploys.allInnerTexts();
      assert.match(texts[0] ?? '', /v1\s*Live\s*rolled back from v2/);
      assert.match(texts[0] ?? '', /Too long/);
      assert.match(texts[1] ?? '', /v2\s*replaced v1/);
      assert.match(texts[2] ?? '', /v1\s*first deploy[\s\S]*Opening day/);
      assert.ok(texts.every((each) => each.includes(OWNER)));
      await deploys.nth(1).getByRole('link', { name: 'v2' }).click();
      await page.waitForURL('**/versions/v2');
      await page.getByRole('textbox', { name: 'Instructions of v2' }).getByText('Say goodbye.').waitFor();
      await page.getByRole('link', { name: 'Receptionist' }).click();
      await deploys.nth(2).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'agent');

      await page.getByRole('button', { name: 'Disconnect Front desk' }).click();
      await dialog.getByText('Front desk stops using Receptionist immediately.').waitFor();
      await dialog.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText('No channels connected. Connect one to make this agent live.').waitFor();
      assert.equal(await activeInstructions(), 404);
    }));

  it('A deploy with unknown variables shows a warning and requires confirmation', () =>
    fixture.visit('/agents?add=true', async (page) => {
      const dialog = page.getByRole('dialog');
      const unknown = page.getByRole('list', { name: 'Unknown variables' }).getByRole('listitem');
      await dialog.getByLabel('Name').fill('Greeter');
      await dialog.getByLabel('Instructions').fill('Greet {{first_name}} {{last_nmae}}.');
      await dialog.getByText('{{last_nmae}} – did you mean {{last_name}}?').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'agent-create-unknown');
      await dialog.getByRole('button', { name: 'Create agent' }).click();
      await page.getByRole('heading', { level: 1, name: 'Greeter' }).waitFor();
      await page.getByText('Not deployed').waitFor();

      await replaceInstructions(page, 'Greet {{first_name}} {{last_nmae}} of {{ company }, {{weather}}.');
      await unknown.nth(2).waitFor();
      const marked = page.locator('.cm-unknown-variable');
      await marked.nth(2).waitFor();
      assert.deepEqual(await page.locator('.cm-variable').allInnerTexts(), ['{{first_name}}']);
      assert.deepEqual(await marked.allInnerTexts(), ['{{last_nmae}}', '{{ company }', '{{weather}}']);
      assert.equal(
        await marked.first().getAttribute('title'),
        'Unknown variable. Did you mean {{last_name}}?',
      );
      await checkAxe(page);
      await takeScreenshots(page, 'agent-unknown');
      await page.getByRole('button', { name: 'Replace {{ company } with {{company}}' }).click();
      await page.getByText('Greet {{first_name}} {{last_nmae}} of {{company}}, {{weather}}.').waitFor();
      await unknown.nth(2).waitFor({ state: 'detached' });
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByRole('button', { name: 'Deploy v2' }).first().click();
      await dialog.getByText('2 unknown variables').waitFor();
      await dialog.getByText('{{last_nmae}} – did you mean {{last_name}}?').waitFor();
      const send = dialog.getByRole('button', { name: 'Deploy v2' });
      assert.equal(await send.isDisabled(), true);
      await dialog.getByLabel('Deploy v2 with unknown variables').click();
      await checkAxe(page);
      await takeScreenshots(page, 'agent-deploy-unknown');
      await send.click();
      await page.getByText('v2 deployed', { exact: true }).waitFor();
    }));

  it('Ctrl Enter submits a dialog, and a deploy names the words of a template that were not replaced', () =>
    fixture.visit('/agents?add=true', async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('From a template');
      await dialog.getByLabel('Start from').selectOption({ label: 'Receptionist' });
      const instructions = dialog.getByLabel('Instructions');
      await instructions.fill(
        `${(await instructions.inputValue()).replace('[address]', '1 High Street')} [pause]`,
      );
      await instructions.press('Control+Enter');
      await page.getByRole('button', { name: 'Deploy v1' }).first().click();
      await dialog.getByText('1 word of the template is not replaced').waitFor();
      await dialog.getByText('[company]', { exact: true }).waitFor();
      await takeScreenshots(page, 'agent-deploy-template');
      await dialog.getByLabel('Note').press('Meta+Enter');
      await page.getByText('v1 deployed', { exact: true }).waitFor();
    }));

  it('A deploy works by keyboard alone', async () => {
    const { body } = await fixture.service.post('/v1/agents', { name: 'Keys', instructions: 'Old words.' });
    const { id } = body.data;
    await fixture.visit(`/agents/${id}`, async (page) => {
      await instructionsEditor(page).waitFor();
      const reach = async (name: string) => {
        for (let presses = 0; presses < 60; presses++) {
          await page.keyboard.press('Tab');
          const at = await page.evaluate(() => {
            const { activeElement: on } = document;
            return on?.getAttribute('aria-label') || on?.textContent?.trim();
          });
          if (at === name) return;
        }
        assert.fail(`${name} is not reached by the Tab key`);
      };
      // The tab, then the editor.
      await reach('Instructions');
      await reach('Instructions');
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('New words.');
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('v2, the latest version.').waitFor();
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('dialog').getByText('Go to').waitFor();
      await page.keyboard.type('Deploy v2');
      await page.getByRole('option', { name: 'Deploy v2' }).waitFor();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Deploy v2' });
      await dialog.getByText('No version of this agent is deployed yet.').waitFor();
      await reach('Deploy v2');
      await page.keyboard.press('Enter');
      await page.getByText('v2 deployed', { exact: true }).waitFor();
      await dialog.waitFor({ state: 'detached' });
      await page.keyboard.press('Tab');
      await reach('Deploy v1');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Deploy v1' }).waitFor();
      await page.keyboard.press('Escape');
      const now = (await fixture.service.get(`/v1/agents/${id}`)).body.data;
      assert.equal(now.deployed_version.instructions, 'New words.');
    });
  });
});
