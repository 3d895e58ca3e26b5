import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { inBrowser } from '../kit/browser/browser.ts';
import { valueSaved } from '../kit/browser/waits.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeAgent, makeContact } from '../kit/fixtures/factories.ts';
import type { Json } from '../kit/service/test-service.ts';

/** Each sets a property of the window if the browser interprets it as more than text. */
const payload = (name: string): string =>
  `"'><img src=x onerror="window.harmed='${name}'"><script>window.harmed='${name}'</script><svg onload=window.harmed=1>javascript:window.harmed=1`;

const short = (name: string): string => `<img src=x onerror=window.harmed='${name}'>`;

inBrowser('Hostile text in contacts', (fixture) => {
  let contact: Json;
  const texts = ['first_name', 'last_name', 'display_name', 'company', 'notes'] as const;
  before(async () => {
    const owner = await checkedUser(fixture.service, fixture.owner);
    contact = await makeContact(fixture.service, {
      ...Object.fromEntries(texts.map((name) => [name, payload(name).slice(0, 100)])),
      notes: payload('notes'),
      email: "'onerror='window.harmed=1'%3Cimg%3E@example.com",
      tags: [short('tag'), short("a';window.harmed=1;'")],
    });
    const agent = await makeAgent(fixture.service, { name: payload('agent').slice(0, 100) });
    const campaign = await owner.request(
      'POST',
      '/campaigns',
      { name: short('campaign'), agent_id: agent.id, status: 'active' },
      201,
    );
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { contact_ids: [contact.id] });
    const crm = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    const sent = await fixture.service.post(
      `/hooks/contacts/${crm.id}`,
      { phone_number: contact.phone_number, crm_ids: { [short('crm').slice(0, 50)]: short('crm id') } },
      { key: crm.secret },
    );
    assert.equal(sent.status, 200, sent.text);
  });
  const assertNoScriptRan = async (page: Page) => {
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => (window as unknown as { harmed?: unknown }).harmed), undefined);
    assert.equal(await page.locator('img').count(), 0);
  };

  it('Hostile text is plain text in the contact list, its filters and its dialogs', () =>
    fixture.visit(`/contacts?tag=${encodeURIComponent(short('tag'))}`, async (page) => {
      await page.getByText('1–1 of 1').waitFor();
      await page.getByRole('checkbox', { name: /^Select "'>/ }).click();
      await page.getByRole('button', { name: 'Tag', exact: true }).click();
      await page.getByLabel('Tags to remove').fill(`${short('typed')},`);
      await assertNoScriptRan(page);
      await page.goto(`${fixture.service.url}/contacts?search=${encodeURIComponent(payload('search'))}`);
      await page.getByText('No matching contacts').waitFor();
      await assertNoScriptRan(page);
    }));

  it('Hostile text is plain text on the page of a contact and in its dialogs', () =>
    fixture.visit(`/contacts/${contact.id}`, async (page) => {
      await page.getByRole('heading', { level: 1, name: contact.display_name }).waitFor();
      await page.getByText(short('crm id')).waitFor();
      await page.getByLabel(`Status in ${short('campaign')}`).waitFor();
      for (const name of ['First name', 'Last name', 'Company', 'Notes'])
        await page.getByRole('button', { name: `Edit ${name}` }).click();
      assert.equal(await page.getByLabel('Notes').inputValue(), payload('notes'));
      await page.getByRole('button', { name: 'Edit tags' }).click();
      await assertNoScriptRan(page);
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText(`1 enrollment will be removed: ${short('campaign')}.`).waitFor();
      await assertNoScriptRan(page);
    }));

  it('Hostile text is saved as it was typed', () =>
    fixture.visit(`/contacts/${contact.id}`, async (page) => {
      await page.getByRole('button', { name: 'Edit Company' }).click();
      await page.getByLabel('Company').fill(payload('typed'));
      await page.keyboard.press('Enter');
      await valueSaved(page, "window.harmed='typed'");
      const { body } = await fixture.service.get(`/v1/contacts/${contact.id}`);
      assert.equal(body.data.company, payload('typed'));
      await assertNoScriptRan(page);
    }));
});
