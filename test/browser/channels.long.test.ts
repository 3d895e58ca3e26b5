import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent, recordCall } from '../kit/fixtures/calls.ts';
import { getAgentFromHook } from '../kit/webhooks/channel-hooks.ts';

inBrowser('Channels', (fixture) => {
  let channel = { id: '', secret: '' };
  before(async () => {
    const user = await checkedUser(fixture.service, fixture.owner);
    await makeDeployedAgent(user, 'Front desk');
    await user.request('POST', '/agents', { name: 'Draft only', instructions: 'Words.' }, 201);
  });

  it('The empty channel list explains channels, and a created channel shows its secret once', () =>
    fixture.visit('/channels', async (page) => {
      await page.getByText('A channel is where people reach you').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'channels-empty');
      await page.getByRole('button', { name: 'Create channel' }).first().click();
      await page.waitForURL('**/channels?add=true');
      const form = page.getByRole('dialog', { name: 'Create channel' });
      await form.getByLabel('Name').fill('Desk line');
      await page.keyboard.press('Enter');
      await form.getByText('Enter a phone number.').waitFor();
      await form.getByLabel('Phone number').fill('+12125550190');
      await form.getByLabel('Agent').selectOption('Front desk (v1)');
      await form.getByLabel('Twilio auth token').fill('short');
      await form.getByRole('button', { name: 'Create channel' }).click();
      await form.getByText('Must have at least 16 characters').waitFor();
      assert.equal(await form.getByLabel('Name').inputValue(), 'Desk line');
      await checkAxe(page);
      await takeScreenshots(page, 'channel-create');
      await form.getByLabel('Phone number').fill('+12125550190');
      await form.getByLabel('Twilio auth token').fill('');
      await form.getByRole('button', { name: 'Create channel' }).click();
      const once = page.getByRole('dialog', { name: 'Desk line created' });
      await once.getByText('Copy the secret now.').waitFor();
      const secret = (await once.locator('code').first().innerText()).trim();
      const address = await once.locator('pre').first().innerText();
      channel = { id: address.split('/').at(-2) ?? '', secret };
      assert.equal(address, `${fixture.service.url}/hooks/channels/${channel.id}/agent`);
      assert.equal((await getAgentFromHook(fixture.service, channel)).body.data.instructions, 'Words.');
      await page.keyboard.press('Escape');
      await checkAxe(page);
      await takeScreenshots(page, 'channel-secret');
      await once.getByText('Terminal examples').click();
      assert.equal(
        await once.locator('pre').nth(2).innerText(),
        `curl -s -i "${address}" \\\n  -H "Authorization: Bearer ${secret}"`,
      );
      await once.getByRole('button', { name: "I've copied the secret" }).click();
      await page.waitForURL(`**/channels?channel=${channel.id}`);
      await page.getByRole('heading', { name: 'Endpoints for runtimes and providers' }).waitFor();
      assert.equal((await page.content()).includes(secret), false);
    }));

  it('A channel of a voice platform shows its address there and how to set it up', () =>
    fixture.visit('/channels?add=true', async (page) => {
      const form = page.getByRole('dialog', { name: 'Create channel' });
      await form.getByLabel('Name').fill('Retell line');
      await form.getByLabel('Phone number').fill('+12125550191');
      await form.getByLabel('Platform').selectOption('Vapi');
      assert.equal(
        await form.locator('input[type=password]').count(),
        0,
        'Vapi gets the secret of the channel',
      );
      await form.getByLabel('Platform').selectOption('Retell');
      await form.getByRole('button', { name: 'Create channel' }).click();
      await form.getByText('Enter the API key.').waitFor();
      await form.getByLabel('Retell API key').fill('key_0123456789abcdef');
      await checkAxe(page);
      await takeScreenshots(page, 'channel-create-platform');
      await form.getByRole('button', { name: 'Create channel' }).click();
      const once = page.getByRole('dialog', { name: 'Retell line created' });
      await once.getByText('Inbound Webhook URL').waitFor();
      assert.match(
        await once.locator('pre').first().innerText(),
        /\/hooks\/channels\/channel_\w+\/platform$/,
      );
      await checkAxe(page);
      await takeScreenshots(page, 'channel-secret-platform');
      await once.getByRole('button', { name: "I've copied the secret" }).click();
      await page.getByRole('dialog', { name: 'Retell line' }).getByText('{{instructions}}').waitFor();
      await takeScreenshots(page, 'channel-platform');
      const user = await checkedUser(fixture.service, fixture.owner);
      const id = new URL(page.url()).searchParams.get('channel');
      assert.equal((await user.call('DELETE', `/channels/${id}`)).status, 200);
    }));

  it('Channels are listed with their agents and calls', async () => {
    await recordCall(fixture.service, channel, '+12125550101');
    await fixture.visit('/channels', async (page) => {
      await page.getByRole('cell', { name: 'Front desk v1' }).waitFor();
      assert.match(
        await page.getByRole('row').nth(1).innerText(),
        /Desk line\s+Phone\s+\+12125550190\s+Front desk\s+v1/,
      );
      await checkAxe(page);
      await takeScreenshots(page, 'channels');
      await page.getByRole('link', { name: 'Desk line' }).click();
      await page.getByRole('dialog').getByText('1 call or message').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'channel');
      const [contact] = (await fixture.service.get('/v1/contacts')).body.data;
      assert.equal(
        await page.getByRole('dialog').getByRole('link', { name: /0101/ }).getAttribute('href'),
        `/contacts/${contact.id}`,
      );
      await page.getByRole('dialog').getByRole('link', { name: '1 call or message' }).click();
      await page.waitForURL(`**/calls?channel=${channel.id}`);
      await page.getByText('1–1 of 1').waitFor();
    });
  });

  it('The agent of a channel can be replaced and disconnected', () =>
    fixture.visit(`/channels?channel=${channel.id}`, async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Desk line' });
      await dialog.getByLabel('Replace with another agent').selectOption('Draft only (not deployed)');
      await dialog.getByText('No version is deployed').waitFor();
      await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
      await dialog.getByRole('link', { name: 'Draft only' }).waitFor();
      assert.equal((await getAgentFromHook(fixture.service, channel)).status, 404);
      await dialog.getByRole('button', { name: 'Disconnect' }).click();
      const confirm = page.getByRole('dialog', { name: 'Disconnect Draft only?' });
      await confirm.getByText('Draft only stops answering on +12125550190 immediately.').waitFor();
      await confirm.getByRole('button', { name: 'Disconnect' }).click();
      await dialog.getByText('No agent answers on this channel.').waitFor();
    }));

  it('A rotated channel secret works along with the old one until that is revoked', () =>
    fixture.visit(`/channels?channel=${channel.id}`, async (page) => {
      const accepts = async (secret: string) =>
        (await getAgentFromHook(fixture.service, { id: channel.id, secret })).status !== 401;
      const dialog = page.getByRole('dialog', { name: 'Desk line' });
      await dialog.getByRole('button', { name: 'Rotate secret' }).click();
      const confirmation = page.getByRole('dialog', { name: 'Rotate secret' });
      await confirmation.getByLabel('Old secret expires').selectOption('In 7 days');
      await checkAxe(page);
      await takeScreenshots(page, 'channel-rotate');
      await confirmation.getByRole('button', { name: 'Rotate secret' }).click();
      const once = page.getByRole('dialog', { name: 'New secret' });
      await once.getByText('The old secret works until').waitFor();
      const secret = (await once.locator('code').first().innerText()).trim();
      await checkAxe(page);
      await takeScreenshots(page, 'channel-rotated');
      await once.getByRole('button', { name: "I've copied the secret" }).click();
      assert.deepEqual([await accepts(channel.secret), await accepts(secret)], [true, true]);
      assert.equal((await page.content()).includes(secret), false);
      await dialog.getByText('This secret was rotated. The old secret works until').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'channel-two-secrets');
      await dialog.getByRole('button', { name: 'Revoke old secret now' }).click();
      const confirm = page.getByRole('dialog', { name: 'Revoke the old secret for Desk line?' });
      await confirm.getByRole('button', { name: 'Revoke old secret' }).click();
      await page.getByText('Old secret revoked.').waitFor();
      assert.deepEqual([await accepts(channel.secret), await accepts(secret)], [false, true]);
      await dialog.getByRole('button', { name: 'Rotate secret' }).waitFor();
      channel = { id: channel.id, secret };
    }));

  it('A channel is renamed, and a concurrent edit shows both versions to the second user', () =>
    fixture.visit(`/channels?channel=${channel.id}`, async (page) => {
      await page.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit channel' });
      await edit.getByLabel('Name').fill('Mine');
      await fixture.owner.call('PATCH', `/channels/${channel.id}`, { name: 'Theirs' });
      await edit.getByRole('button', { name: 'Save' }).click();
      await edit.getByText('Someone else changed this channel').waitFor();
      assert.match(await edit.getByRole('region', { name: 'Their version (saved)' }).innerText(), /Theirs\n/);
      assert.match(
        await edit.getByRole('region', { name: 'Your version (not saved)' }).innerText(),
        /Mine\n/,
      );
      await checkAxe(page);
      await takeScreenshots(page, 'channel-conflict');
      const nameNow = async () =>
        (await fixture.owner.call('GET', `/channels/${channel.id}`)).body.data.name as string;
      assert.equal(await nameNow(), 'Theirs');
      await edit.getByRole('button', { name: 'Save mine' }).click();
      await page.getByText('Mine saved.').waitFor();
      assert.equal(await nameNow(), 'Mine');
      await page.getByRole('dialog', { name: 'Mine' }).waitFor();
    }));

  it('Deleting a channel shows the consequences first', () =>
    fixture.visit(`/channels?channel=${channel.id}`, async (page) => {
      await page.getByRole('button', { name: 'Delete' }).click();
      const confirm = page.getByRole('dialog', { name: 'Delete Mine?' });
      await confirm.getByText('Its secret stops working').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'channel-delete');
      await confirm.getByRole('button', { name: 'Delete channel' }).click();
      await page.getByText('No channels yet').waitFor();
      assert.equal((await getAgentFromHook(fixture.service, channel)).status, 401);
    }));
});
