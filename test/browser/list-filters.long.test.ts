import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { inBrowser } from '../kit/browser/browser.ts';
import {
  addCondition,
  addFilter,
  chooseValue,
  openBuilder,
  shownRows,
  tableLoaded,
  waitForRows,
} from '../kit/browser/lists.ts';
import { waitForRead } from '../kit/browser/reads.ts';
import { hasFocus } from '../kit/browser/waits.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent, recordCall } from '../kit/fixtures/calls.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';
import type { Json } from '../kit/service/test-service.ts';

type Made = Record<'ada' | 'grace' | 'unnamed' | 'ian', string>;

/** A filter by its label, the option to choose, the text of its chip, and what the list then shows. */
type Case = readonly [filter: string, option: string, chip: string, rows: readonly string[]];

inBrowser('Filters and order of lists', (fixture) => {
  let user: CheckedUser;
  const made = {} as Made;
  const calls = {} as Record<'spoken' | 'text', string>;
  const campaigns = {} as Record<'spring' | 'autumn', string>;
  let agents: readonly Json[];

  before(async () => {
    const { service, owner } = fixture;
    user = await checkedUser(service, owner);
    const { request } = user;
    const grace = newPhone();
    const ada = { first_name: 'Ada', email: 'ada@example.com', company: 'Acme', tags: ['vip', 'london'] };
    made.ada = (await makeContact(service, ada)).id;
    made.grace = (await makeContact(service, { phone_number: grace, first_name: 'Grace', tags: ['vip'] })).id;
    made.unnamed = (await request('POST', '/contacts', { phone_number: newPhone() }, 201)).id;
    const file = await planCsv(owner, `phone,first name\n${newPhone()},Ian\n`, { name: 'fair.csv' });
    await applyImport(owner, file.id);
    made.ian = (await request('GET', '/contacts?search=Ian'))[0].id;

    agents = [await makeDeployedAgent(user, 'Front desk'), await makeDeployedAgent(user, 'Sales')];
    const channel = (kind: string, name: string) =>
      request('POST', '/channels', { kind, name, address: newPhone() }, 201);
    const line = await channel('phone', 'Desk line');
    await request('PUT', `/channels/${line.id}/agent`, { agent_id: agents[0]?.id });
    calls.spoken = (await recordCall(service, line, grace, { status: 'busy' })).id;
    const text = { type: 'message', direction: 'outbound' };
    calls.text = (await recordCall(service, await channel('sms', 'Texts'), '+12125550177', text)).id;

    const campaign = (name: string, agent: Json | undefined) =>
      request('POST', '/campaigns', { name, agent_id: agent?.id }, 201);
    campaigns.spring = (await campaign('Spring', agents[0])).id;
    campaigns.autumn = (await campaign('Autumn', agents[1])).id;
    await request('POST', `/campaigns/${campaigns.spring}/enrollments`, { contact_ids: [made.ada] });
    await request('PATCH', `/campaigns/${campaigns.autumn}`, { status: 'active' });
  });

  /** Chooses each filter in turn and removes it. */
  const checkCases = async (page: Page, cases: readonly Case[], all: number) => {
    await shownRows(page, all);
    for (const [filter, option, chip, rows] of cases) {
      await addFilter(page, filter, option);
      await page.getByRole('button', { name: `${filter}: ${chip}` }).waitFor();
      await waitForRows(page, rows);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: `Remove filter ${filter}` }).click();
      await shownRows(page, all);
    }
  };

  it('Every kind of condition narrows the list of contacts', () =>
    fixture.visit('/contacts', async (page) => {
      const { ada, grace, unnamed, ian } = made;
      await shownRows(page, 4);
      await openBuilder(page);
      type Fill = (page: Page) => Promise<unknown>;
      const option =
        (value: string): Fill =>
        (shown) =>
          chooseValue(shown, value);
      const select =
        (label: string): Fill =>
        (shown) =>
          shown.getByLabel('Value', { exact: true }).selectOption({ label });
      const text =
        (value: string): Fill =>
        (shown) =>
          shown.getByLabel('Value', { exact: true }).fill(value);
      const days =
        (count: string): Fill =>
        (shown) =>
          shown.getByLabel('Number').fill(count);
      const none: Fill = async () => undefined;
      const cases: readonly (readonly [string, string, Fill, string, readonly string[]])[] = [
        ['Source', 'is', select('Added manually'), 'Source is Added manually', [unnamed]],
        ['Tag', 'is', option('london'), 'Tag is london', [ada]],
        ['Tag', 'is not', option('london'), 'Tag is not london', [ian, unnamed, grace]],
        // Only Grace was called; all were created today.
        ['Last call or message', 'is in the last', days('1'), 'Called or messaged in the last day', [grace]],
        ['Last call or message', 'is unknown', none, 'Never called or messaged', [ian, unnamed, ada]],
        ['Created', 'is not in the last', days('1'), 'Created is not in the last day', []],
        ['Created', 'is before', text('2026-01-05'), 'Created is before 5 Jan 2026', []],
        ['Call status', 'is', select('Busy'), 'Call status is Busy', [grace]],
        ['Campaign', 'is', option('Spring'), 'Campaign is Spring', [ada]],
        ['Campaign', 'is unknown', none, 'Is in no campaign', [ian, unnamed, grace]],
        ['Email', 'is known', none, 'Has an email', [ada]],
        ['Name', 'is unknown', none, 'Name is unknown', [unnamed]],
        ['Import', 'is', option('fair.csv'), 'Import is fair.csv', [ian]],
        ['Company', 'starts with', text('ac'), 'Company starts with ac', [ada]],
      ];
      for (const [attribute, op, fill, sentence, rows] of cases) {
        await addCondition(page, attribute, op);
        await fill(page);
        await page.getByText(sentence, { exact: true }).waitFor();
        await waitForRows(page, rows);
        await page.getByLabel('Attribute').selectOption('');
        await shownRows(page, 4);
      }
    }));

  it('The order by last contact is that of calls and messages, and contacts without any come last', () =>
    fixture.visit('/contacts?sort=-last_contact_at', async (page) => {
      const { ada, grace, unnamed, ian } = made;
      await waitForRows(page, [grace, ian, unnamed, ada]);
      await page.goto(`${fixture.service.url}/contacts?sort=last_contact_at`);
      await waitForRows(page, [grace, ian, unnamed, ada]);
    }));

  it('Links with several tags match any or all of them', () =>
    fixture.visit('/contacts?tags=vip,london', async (page) => {
      await waitForRows(page, [made.grace, made.ada]);
      await page.getByText('Tag is any of vip, london').waitFor();
      await page.goto(`${fixture.service.url}/contacts?tags=vip,london&tags_match=all`);
      await waitForRows(page, [made.ada]);
      await page.getByText('Tag is vip and tag is london').waitFor();
    }));

  it('Campaigns are found on the server as one types', () =>
    fixture.visit('/contacts', async (page) => {
      await openBuilder(page);
      await addCondition(page, 'Campaign', 'is');
      await page.getByRole('button', { name: 'Value: none' }).click();
      await page.getByRole('option', { name: 'Autumn' }).waitFor();
      const answer = waitForRead(page, /\/campaigns\?[^"]*search=spri/);
      await page.getByRole('combobox', { name: 'Campaign' }).fill('spri');
      await answer;
      await page.getByRole('option', { name: 'Autumn' }).waitFor({ state: 'detached' });
      await page.getByRole('option', { name: 'Spring' }).waitFor();
      await page.keyboard.press('Enter');
      await waitForRows(page, [made.ada]);
    }));

  it('Every filter of calls narrows the list', () =>
    fixture.visit('/calls', async (page) => {
      const { spoken, text } = calls;
      const cases: readonly Case[] = [
        ['Date', 'Today', 'Today', [text, spoken]],
        ['Status', 'Busy', 'Busy', [spoken]],
        ['Type', 'Messages', 'Messages', [text]],
        ['Direction', 'Outbound', 'Outbound', [text]],
        ['Contact', 'Grace', 'Grace', [spoken]],
        ['Agent', 'Front desk', 'Front desk', [spoken]],
        ['Version', 'Front desk v1', 'Front desk v1', [spoken]],
        ['Channel', 'Texts', 'Texts', [text]],
      ];
      await checkCases(page, cases, 2);
    }));

  it('Every filter of campaigns narrows the list', () =>
    fixture.visit('/campaigns', async (page) => {
      const cases: readonly Case[] = [
        ['Status', 'Active', 'Active', [campaigns.autumn]],
        ['Agent', 'Front desk', 'Front desk', [campaigns.spring]],
      ];
      await checkCases(page, cases, 2);
      await page.getByRole('searchbox').fill('autu');
      await waitForRows(page, [campaigns.autumn]);
    }));

  it('Every filter of the audit log narrows the list', () =>
    fixture.visit('/audit-log', async (page) => {
      const { pagination } = (await fixture.owner.call('GET', '/audit')).body;
      const matches = async (filter: string, option: string, query: string) => {
        const { body } = await fixture.owner.call('GET', `/audit?${query}`);
        assert.ok(body.pagination.total > 0 && body.pagination.total <= pagination.total, query);
        await addFilter(page, filter, option);
        await page.getByText(new RegExp(`^${body.pagination.total} match`)).waitFor();
        await page.getByRole('button', { name: 'Clear all' }).click();
      };
      await matches('Record type', 'Campaign', 'action=campaign.');
      await matches('Actor', 'Desk line', `actor=${(await user.request('GET', '/channels'))[1].id}`);
      await matches('Date', 'Today', '');
    }));

  /** Clicks on each header twice and compares the order with that of the API. */
  const checkOrder = async (page: Page, path: string, headers: readonly string[]) => {
    for (const header of headers)
      for (const _ of ['first', 'reversed']) {
        const before = page.url();
        const cell = page.getByRole('columnheader', { name: header });
        await cell.getByRole('button').click();
        await page.waitForURL((url) => url.href !== before && url.searchParams.has('sort'));
        const sort = new URL(page.url()).searchParams.get('sort');
        // The last contact is the last call or message.
        const order = sort?.replace('last_contact_at', 'last_activity_at');
        const rows: Json[] = await user.request('GET', `${path}?sort=${order}`);
        await waitForRows(
          page,
          rows.map(({ id }) => id),
        );
        const direction = sort?.startsWith('-') ? 'descending' : 'ascending';
        assert.equal(await cell.getAttribute('aria-sort'), direction, header);
      }
  };

  const sorted: Readonly<Record<string, readonly string[]>> = {
    '/contacts?columns=created,updated,last': ['Name', 'Created', 'Updated', 'Last contact'],
    '/calls': ['Call'],
    '/campaigns?columns=changed,created': ['Name', 'Updated', 'Created'],
  };
  for (const [address, headers] of Object.entries(sorted)) {
    const path = address.replace(/\?.*/, '');
    it(`Every sortable column of ${path} sorts in both directions`, () =>
      fixture.visit(address, (page) => checkOrder(page, path, headers)));
  }

  it('The key e edits the row at the cursor', () =>
    fixture.visit('/contacts', async (page) => {
      await shownRows(page, 4);
      for (const key of ['j', 'j', 'e']) await page.keyboard.press(key);
      await page.waitForURL(`**/contacts/${made.unnamed}`);
    }));

  it('A filter finds an agent that is not among the newest hundred', async () => {
    for (let index = 0; index < 120; index++)
      await user.request('POST', '/agents', { name: `A${index}`, instructions: 'Words.' }, 201);
    await fixture.visit('/calls', async (page) => {
      await shownRows(page, 2);
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Agent', exact: true }).click();
      await page.getByRole('option', { name: 'A119' }).waitFor();
      assert.equal(await page.getByRole('option').count(), 100);
      await hasFocus(page.getByRole('dialog').getByRole('combobox'));
      await page.keyboard.type('front');
      await page.getByRole('option', { name: 'A119' }).waitFor({ state: 'detached' });
      await page.getByRole('option', { name: 'Front desk' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Agent: Front desk' }).waitFor();
      await waitForRows(page, [calls.spoken]);
    });
  });

  it('List and page of a contact show its calls as first and last contact, and never its creation', async () => {
    const { phone_number } = await user.request('GET', `/contacts/${made.unnamed}`);
    const line = await user.request(
      'POST',
      '/channels',
      { kind: 'phone', name: 'History', address: newPhone() },
      201,
    );
    const times = ['2026-01-05T10:00:00.000Z', '2026-01-03T10:00:00.000Z', '2026-01-04T10:00:00.000Z'];
    for (const started_at of times)
      await recordCall(fixture.service, line, phone_number, { direction: 'outbound', started_at });
    await fixture.visit('/contacts?activity=2026-01-05..2026-01-05', async (page) => {
      await waitForRows(page, [made.unnamed]);
      await page.locator(`main tr[data-row] time[datetime="${times[0]}"]`).waitFor();
      await page.goto(`${fixture.service.url}/contacts/${made.unnamed}`);
      const line = (name: string) =>
        page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
      await line('First contact').locator(`time[datetime="${times[1]}"]`).waitFor();
      await line('Last contact').locator(`time[datetime="${times[0]}"]`).waitFor();
    });
    await fixture.visit('/contacts?activity=2026-01-03..2026-01-04', (page) => waitForRows(page, []));
  });

  for (const width of [1280, 390])
    for (const path of ['/contacts', '/campaigns'])
      it(`The search field of ${path} does not move while one types in a window of ${width} pixels`, () =>
        fixture.visit(
          path,
          async (page) => {
            await tableLoaded(page);
            // The stream of changes stays open, so the network is never idle.
            await page.evaluate(
              () => new Promise((done) => requestIdleCallback(() => setTimeout(done, 500))),
            );
            const field = page.getByRole('searchbox');
            const topOf = () => field.evaluate((each) => each.getBoundingClientRect().top + scrollY);
            const before = await topOf();
            await field.pressSequentially('a');
            await page.waitForURL(/search=a/);
            // A search is part of a view, but not of a segment.
            if (path === '/campaigns') await page.getByRole('button', { name: 'Save as new view' }).waitFor();
            await tableLoaded(page);
            assert.equal(await topOf(), before);
          },
          { width },
        ));
});
