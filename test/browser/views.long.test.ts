import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { addFilter, tableLoaded } from '../kit/browser/lists.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';

const tabsOf = (page: Page) => page.getByRole('navigation', { name: 'Views' });

const currentTab = (page: Page, name: string) =>
  tabsOf(page).getByRole('button', { name }).and(page.locator('[aria-current=page]'));

const saveView = async (page: Page, name: string) => {
  await tabsOf(page).getByRole('button', { name: 'Save as new view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/view_id=/);
};

inBrowser('Saved views', (fixture) => {
  let member: DashboardUser;

  before(async () => {
    const { service, owner } = fixture;
    member = await signedInUser(service, 'member@example.com', 'member');
    const user = await checkedUser(service, owner);
    const agent = await makeDeployedAgent(user);
    const line = await makePhoneChannel(user, agent);
    await recordCall(service, line, '+12125550177', { status: 'completed' });
    await recordCall(service, line, '+12125550178', { direction: 'outbound' });
    await user.request('POST', '/campaigns', { name: 'Spring', agent_id: agent.id }, 201);
  });

  /** Each list with a filter of a view and one that modifies it. */
  const lists: readonly (readonly [path: string, query: string, filter: string, option: string])[] = [
    ['/calls', 'status=completed', 'Direction', 'Inbound'],
    ['/campaigns', 'status=draft', 'Agent', 'Speaker'],
    ['/audit-log', 'kind=contact', 'Date', 'Today'],
  ];

  for (const [path, query, filter, option] of lists)
    it(`A view of ${path} is saved, modified, reset, saved again and copied as a link`, () =>
      fixture.visit(`${path}?${query}`, async (page) => {
        await tabsOf(page).waitFor();
        await tabsOf(page).getByRole('button', { name: 'All' }).waitFor();
        assert.equal(await currentTab(page, 'All').count(), 0, 'filters are set');
        await saveView(page, 'Mine');
        await currentTab(page, 'Mine').waitFor();
        await addFilter(page, filter, option);
        await page.keyboard.press('Escape');
        await tabsOf(page).getByText('(modified)').waitFor();
        await tableLoaded(page);
        await checkAxe(page);
        await takeScreenshots(page, `view-modified${path.replaceAll('/', '-')}`);
        await tabsOf(page).getByRole('button', { name: 'Reset' }).click();
        await tabsOf(page).getByText('(modified)').waitFor({ state: 'detached' });
        assert.equal(await page.getByRole('button', { name: `Remove filter ${filter}` }).count(), 0);
        await addFilter(page, filter, option);
        await page.keyboard.press('Escape');
        await tabsOf(page).getByRole('button', { name: 'Save view' }).click();
        await tabsOf(page).getByText('(modified)').waitFor({ state: 'detached' });

        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await tabsOf(page).getByRole('button', { name: 'Copy link to Mine' }).click();
        await tabsOf(page).getByRole('button', { name: 'Copied' }).waitFor();
        const link = await page.evaluate(() => navigator.clipboard.readText());
        assert.match(link, new RegExp(`${path}\\?view_id=`));
        await tabsOf(page).getByRole('button', { name: 'All' }).click();
        await page.waitForURL(`${fixture.service.url}${path}`);
        await currentTab(page, 'All').waitFor();
        await page.goto(link);
        await page.waitForURL(new RegExp(query));
        await page.getByRole('button', { name: `Remove filter ${filter}` }).waitFor();
      }));

  it('Other members see a shared view, but not a private one, and cannot change it', async () => {
    let link = '';
    await fixture.visit('/calls?status=completed', async (page) => {
      await saveView(page, 'Completed only');
      await tabsOf(page)
        .getByRole('button', { name: /^Completed only/ })
        .waitFor();
      link = page.url();
    });
    const asMember = (work: (page: Page) => Promise<void>) =>
      fixture.visit('/calls?type=call', work, { user: member });
    await asMember(async (page) => {
      await tabsOf(page).waitFor();
      assert.equal(
        await tabsOf(page)
          .getByRole('button', { name: /^Completed only/ })
          .count(),
        0,
        'private',
      );
    });
    await fixture.visit(link.replace(fixture.service.url, ''), async (page) => {
      await tabsOf(page).getByRole('button', { name: 'View options' }).click();
      await page.getByRole('menuitem', { name: 'Share with the workspace' }).click();
      await tabsOf(page).getByText('shared').waitFor();
    });
    await asMember(async (page) => {
      await tabsOf(page)
        .getByRole('button', { name: /^Completed only/ })
        .click();
      await page.waitForURL(/status=completed/);
      await addFilter(page, 'Direction', 'Inbound');
      await tabsOf(page).getByText('(modified)').waitFor();
      assert.equal(await tabsOf(page).getByRole('button', { name: 'Save view' }).count(), 0);
      await tabsOf(page).getByRole('button', { name: 'Reset' }).waitFor();
      await tabsOf(page).getByRole('button', { name: 'View options' }).click();
      assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Open by default']);
    });
  });

  it('A list opens with the view that the user chose, and shows all entries only when that is asked for', () =>
    fixture.visit('/calls?direction=outbound', async (page) => {
      await saveView(page, 'Outgoing');
      const option = async (name: string) => {
        await tabsOf(page).getByRole('button', { name: 'View options' }).click();
        await page.getByRole('menuitem', { name }).click();
      };
      await option('Open by default');
      await currentTab(page, 'Outgoing opens by default').waitFor();
      await takeScreenshots(page, 'view-default');
      await page.goto(`${fixture.service.url}/campaigns`);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Calls' }).click();
      await page.waitForURL(/calls\?direction=outbound&view_id=/);
      await page.goBack();
      await page.waitForURL(/campaigns$/);
      await page.goto(`${fixture.service.url}/calls`);
      await page.waitForURL(/direction=outbound/);
      await currentTab(page, 'Outgoing').waitFor();
      await tabsOf(page).getByRole('button', { name: 'All' }).click();
      await page.waitForURL(/calls\?view_id=all$/);
      await currentTab(page, 'All').waitFor();
      await page.reload();
      await currentTab(page, 'All').waitFor();
      await page.goto(`${fixture.service.url}/calls?direction=inbound`);
      await page.getByRole('button', { name: 'Remove filter Direction' }).click();
      await page.waitForURL(/calls\?view_id=all$/);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Calls' }).click();
      await page.waitForURL(/direction=outbound/);
      await option("Don't open by default");
      await page.goto(`${fixture.service.url}/calls`);
      await currentTab(page, 'All').waitFor();
      await page.waitForURL(/calls$/);
    }));

  it('A link to a private or deleted view says so, and copying the link of a private view offers to share it', async () => {
    const notice = (page: Page) => page.getByText('This view is private or was deleted.');
    let link = '';
    await fixture.visit('/calls?status=busy', async (page) => {
      await saveView(page, 'Hidden');
      link = `/calls?view_id=${new URL(page.url()).searchParams.get('view_id')}`;
      await notice(page).waitFor({ state: 'detached' });
    });
    await fixture.visit(
      link,
      async (page) => {
        await notice(page).waitFor();
        await tableLoaded(page);
        await checkAxe(page);
        await takeScreenshots(page, 'view-missing');
        await page.getByRole('button', { name: 'Dismiss' }).click();
        await page.waitForURL(`${fixture.service.url}/calls`);
        await notice(page).waitFor({ state: 'detached' });
      },
      { user: member },
    );
    await fixture.visit(link, async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await tabsOf(page).getByRole('button', { name: 'Copy link to Hidden' }).click();
      const toast = page.getByRole('region', { name: 'Notifications' });
      await toast.getByText('Only you can open it').waitFor();
      await toast.getByRole('button', { name: 'Share with the workspace' }).click();
      await tabsOf(page).getByRole('button', { name: 'Hidden shared' }).waitFor();
      await tabsOf(page).getByRole('button', { name: 'Copy link to Hidden' }).click();
      await toast.getByText('Only you can open it').waitFor({ state: 'detached' });
    });
    await fixture.visit(link, (page) => page.waitForURL(/status=busy/), { user: member });
    await fixture.visit(link, async (page) => {
      await tabsOf(page).getByRole('button', { name: 'View options' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Delete view' }).click();
      await page.waitForURL(`${fixture.service.url}/calls`);
      assert.equal(await notice(page).count(), 0);
    });
    await fixture.visit(link, (page) => notice(page).waitFor());
  });
});
