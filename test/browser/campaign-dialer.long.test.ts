import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { weekdays } from '../../src/features/campaigns/call-window.ts';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { type ActiveCampaign, campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import type { Json } from '../kit/service/test-service.ts';

inBrowser('Dialers of campaigns', (fixture) => {
  let owner: CheckedUser;
  let campaign: ActiveCampaign;
  let key = '';
  const path = () => `/campaigns/${campaign.id}`;
  const panelOf = (page: Page) => page.getByRole('region', { name: 'Dialer', exact: true });
  before(async () => {
    owner = await checkedUser(fixture.service, fixture.owner);
    campaign = await makeActiveCampaign(fixture.service, await campaignApi(fixture.service), 3);
  });

  it('An active campaign without a dialer says so, and offers an address, a key and a program', () =>
    fixture.visit(path(), async (page) => {
      const panel = panelOf(page);
      await panel.getByText('No dialer has claimed a contact yet.').waitFor();
      await panel.getByText('Roster calls no one itself.').waitFor();
      await panel.getByText(`${fixture.service.url}/v1${path()}/claims`, { exact: true }).waitFor();
      await panel.getByText('while true; do').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-connect-dialer');
      await panel.getByText('TypeScript with the SDK').first().click();
      await panel.getByText("import { Roster } from '@roster/client';").waitFor();
      await panel.getByText('Shell with curl and jq').first().click();

      await panel.getByRole('button', { name: 'Create API key' }).click();
      const secret = page.getByRole('dialog', { name: 'dialer created' });
      key = await secret.locator('code').first().innerText();
      assert.match(key, /^rk_/);
      await secret.getByText(`ROSTER_KEY=${key}`).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-dialer-key');
      const keys = await owner.request('GET', '/keys');
      assert.deepEqual(
        keys.flatMap(({ name, scopes }: Json) => (name === 'dialer' ? [scopes] : [])),
        [['campaigns:write']],
      );
      await secret.getByRole('button', { name: "I've copied the key" }).click();
      await secret.waitFor({ state: 'detached' });
      assert.ok(!(await page.content()).includes(key), 'the key is shown once');
    }));

  it('The page says when a dialer last claimed contacts and with which key, and the panel collapses', async () => {
    await fixture.visit(path(), async (page) => {
      const panel = panelOf(page);
      await panel.getByText('No dialer has claimed a contact yet.').waitFor();
      const [claim] = await (await campaignApi(fixture.service, key)).claims(campaign.id);
      assert.ok(claim);
      await panel.getByText(/^Last claim (just now|\d+ seconds? ago) by key dialer\.$/).waitFor();
      await panel.getByText(/^Last claim \d+ seconds? ago by key dialer\.$/).waitFor();
      const connect = panel.getByRole('button', { name: 'Connect a dialer' });
      assert.equal(await connect.getAttribute('aria-expanded'), 'false');
      assert.equal(await panel.getByText('while true; do').count(), 0);
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-dialer-claimed');
      await connect.click();
      await panel.getByText('while true; do').waitFor();
      await page.waitForURL('**?dialer=*');
    });
  });

  it('A closed call window says when it opens, and how many contacts are pending', async () => {
    const today = new Date().getUTCDay();
    const [day] = weekdays.filter((_, at) => (at + 1) % 7 === (today + 3) % 7);
    await owner.request('PUT', `/campaigns/${campaign.id}/schedule`, {
      call_window: { days: [day], from: '09:00', to: '17:00' },
    });
    await fixture.visit(path(), async (page) => {
      await panelOf(page)
        .getByText(
          /^The call window is closed\. It first opens .*, \d\d:\d\d \(in \d days\)\. 2 contacts are pending\.$/,
        )
        .waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-window-closed');
    });
  });

  it('A member is told whom to ask for a key', async () => {
    const user = await signedInUser(fixture.service, 'member@example.com', 'member');
    await fixture.visit(
      `${path()}?dialer=true`,
      async (page) => {
        await panelOf(page).getByText('Ask an owner of this workspace for an API key').waitFor();
        assert.equal(await page.getByRole('button', { name: 'Create API key' }).count(), 0);
        await checkAxe(page);
      },
      { user, width: 390 },
    );
  });

  it('A draft and a finished campaign do not ask for a dialer', async () => {
    const { agent } = campaign;
    const draft = await owner.request('POST', '/campaigns', { name: 'Draft', agent_id: agent.id }, 201);
    await fixture.visit(`/campaigns/${draft.id}`, async (page) => {
      await panelOf(page).getByRole('button', { name: 'Connect a dialer' }).waitFor();
      assert.equal(await page.getByText('Roster calls no one itself.').count(), 0);
    });
    await owner.request('PATCH', `/campaigns/${draft.id}`, { status: 'active' });
    await owner.request('PATCH', `/campaigns/${draft.id}`, { status: 'finished' });
    await fixture.visit(`/campaigns/${draft.id}`, async (page) => {
      await page.getByText('This campaign has finished').waitFor();
      await panelOf(page).waitFor({ state: 'detached' });
    });
  });
});
