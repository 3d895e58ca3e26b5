import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { addCondition, chooseValue, openBuilder, waitForRows } from '../kit/browser/lists.ts';
import { hasFocus } from '../kit/browser/waits.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent } from '../kit/fixtures/calls.ts';
import { campaignApi } from '../kit/fixtures/campaigns.ts';
import { makeContact } from '../kit/fixtures/factories.ts';

const filterIn = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get('filter') ?? 'null');

inBrowser('Filters and segments', (fixture) => {
  let user: CheckedUser;
  const made = {} as Record<'ada' | 'grace' | 'ian', string>;

  before(async () => {
    const { service, owner } = fixture;
    user = await checkedUser(service, owner);
    const contact = async (fields: Record<string, unknown>) => (await makeContact(service, fields)).id;
    made.ada = await contact({ first_name: 'Ada', company: 'Acme', email: 'ada@example.com', tags: ['vip'] });
    made.grace = await contact({ first_name: 'Grace', tags: ['vip'] });
    made.ian = await contact({ first_name: 'Ian', company: 'Acme Ltd' });
    await makeDeployedAgent(user, 'Front desk');
  });

  it('A filter with a nested group is built by keyboard and mouse, read as a sentence, and kept in the address', () =>
    fixture.visit('/contacts', async (page) => {
      await openBuilder(page);
      await hasFocus(page.getByLabel('Attribute'));
      await checkAxe(page);
      const offered = await page.getByLabel('Attribute').locator('option').allInnerTexts();
      assert.deepEqual(
        offered.slice(-3),
        ['Import', 'Created', 'Updated'],
        'no contact times: they begin with the creation',
      );
      await addCondition(page, 'Tag');
      await chooseValue(page, 'vip');
      await page.getByText('Tag is vip', { exact: true }).waitFor();
      await waitForRows(page, [made.grace, made.ada]);
      await page.getByRole('button', { name: 'Add group' }).click();
      await addCondition(page, 'Company', 'contains');
      await page.getByText('A condition without a value is not part of the filter.').waitFor();
      await page.getByLabel('Value', { exact: true }).fill('acme');
      await page.getByText('Tag is vip and company contains acme').waitFor();
      await waitForRows(page, [made.ada]);
      await page.getByRole('button', { name: 'Add condition' }).first().click();
      await addCondition(page, 'Email', 'is unknown');
      await page.getByText('Tag is vip and (company contains acme or has no email)').waitFor();
      await waitForRows(page, [made.grace, made.ada]);
      assert.deepEqual(filterIn(page), {
        all: [
          { attribute: 'tag', op: 'eq', value: 'vip' },
          {
            any: [
              { attribute: 'company', op: 'contains', value: 'acme' },
              { attribute: 'email', op: 'is_set', value: false },
            ],
          },
        ],
      });
      await checkAxe(page);
      await takeScreenshots(page, 'filter-builder');
      await page.reload();
      await waitForRows(page, [made.grace, made.ada]);
      await page.getByText('Tag is vip and (company contains acme or has no email)').waitFor();
      await takeScreenshots(page, 'filter-sentence');
      await page.getByRole('button', { name: 'Edit filter' }).click();
      await page.getByRole('button', { name: 'Remove group' }).click();
      await page.waitForURL((url) => !url.search.includes('acme'));
      // The focus stays in the builder.
      await hasFocus(page.getByRole('button', { name: 'Add condition' }));
      await page.getByRole('button', { name: 'Clear all' }).click();
      await waitForRows(page, [made.ian, made.grace, made.ada]);
    }));

  it('A filter becomes a segment, which a campaign uses as its audience and which then cannot be deleted', () =>
    fixture.visit('/contacts?tag=vip', async (page) => {
      await page.getByRole('button', { name: 'Save as segment' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Tag is vip').waitFor();
      await dialog.getByLabel('Name').fill('Important people');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.waitForURL(/segment=/);
      await page.getByRole('link', { name: 'All segments' }).click();
      const row = page.getByRole('row', { name: /Important people/ });
      await row.getByText('Tag is vip').waitFor();
      await row.getByRole('cell', { name: '2', exact: true }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'segments');

      await page.getByRole('button', { name: 'Actions for Important people' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await dialog.getByRole('button', { name: 'Add condition' }).click();
      await addCondition(page, 'Company', 'is known');
      await dialog.getByText('Tag is vip and company is known').waitFor();
      await dialog.getByText('1 contact matches').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'segment-editor');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await row.getByText('Tag is vip and company is known').waitFor();

      await page.goto(`${fixture.service.url}/campaigns?add=true`);
      await dialog.getByLabel('Name').fill('Spring');
      await dialog.getByLabel('Agent').selectOption('Front desk (v1)');
      await dialog.getByLabel('Audience').selectOption('Important people (private)');
      await dialog.getByText('Live audience', { exact: true }).click();
      await dialog.getByText('1 contact matches').waitFor();
      await dialog.getByText('Saving shares it').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-audience');
      await dialog.getByRole('button', { name: 'Create campaign' }).click();
      const audience = page.getByRole('region', { name: 'Audience' });
      await audience.getByText('Tag is vip and company is known').waitFor();
      await audience.getByText('Live audience').waitFor();
      await waitForRows(page, [made.ada]);
      assert.equal(await page.getByRole('button', { name: 'Remove Ada' }).count(), 0);
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-with-audience');

      await page.goto(`${fixture.service.url}/segments`);
      await row.getByRole('link', { name: 'Spring' }).waitFor();
      await page.getByRole('button', { name: 'Actions for Important people' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await dialog.getByRole('button', { name: 'Delete segment' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByRole('link', { name: 'Spring' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'segment-in-use');
    }));

  it('A campaign names blocked people and the value they lack, before it starts and afterwards', async () => {
    const { service } = fixture;
    await user.request(
      'POST',
      '/fields',
      { key: 'plan', label: 'Plan', type: 'text', filterable: true },
      201,
    );
    await user.request('PATCH', `/contacts/${made.ada}`, { fields: { plan: 'gold' } });
    const instructions = 'Talk to {{first_name}} about {{plan}}.';
    const agent = await user.request('POST', '/agents', { name: 'Renewals', instructions }, 201);
    const [version] = await user.request('GET', `/agents/${agent.id}/versions`);
    await user.request('POST', `/agents/${agent.id}/versions/${version.id}/deploy`, {});
    const campaign = await user.request('POST', '/campaigns', { name: 'Renewal', agent_id: agent.id }, 201);
    const filter = { attribute: 'tag', op: 'eq', value: 'vip' };
    await user.request('POST', `/campaigns/${campaign.id}/enrollments`, { filter });
    await fixture.visit(`/campaigns/${campaign.id}?open=start`, async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 contact would be blocked').waitFor();
      await dialog.getByRole('listitem').filter({ hasText: 'Missing: plan' }).getByRole('link').waitFor();
      await dialog.getByText('Add to the contacts: plan.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-would-block');
      await dialog.getByRole('button', { name: 'Start anyway' }).click();
      await page.getByText('Renewal is now active.').waitFor();
      const claims = await (await campaignApi(service)).claims(campaign.id, { limit: 5, render: true });
      assert.deepEqual(
        claims.map(({ contact }) => contact.id),
        [made.ada],
      );
      await page.getByText('1 contact is blocked').waitFor();
      await page.getByRole('button', { name: 'Show blocked' }).click();
      await waitForRows(page, [made.grace]);
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-blocked');
      await page.getByRole('link', { name: 'Grace' }).first().click();
      const status = page.getByLabel('Status in Renewal');
      await status.waitFor();
      await page.getByText('Missing: plan').waitFor();
      await checkAxe(page);
      await user.request('PATCH', `/contacts/${made.grace}`, { fields: { plan: 'silver' } });
      await page.getByText('Missing: plan').waitFor({ state: 'detached' });
      assert.equal(await status.inputValue(), 'pending');
      await page.goto(`${service.url}/campaigns/${campaign.id}`);
      await waitForRows(page, [made.grace, made.ada]);
      assert.equal(await page.getByText('1 contact is blocked').count(), 0);
    });
    await fixture.visit('/contacts', async (page) => {
      await openBuilder(page);
      await addCondition(page, 'Plan', 'is');
      await page.getByLabel('Value', { exact: true }).fill('gold');
      await page.getByText('Plan is gold', { exact: true }).waitFor();
      await waitForRows(page, [made.ada]);
    });
  });
});
