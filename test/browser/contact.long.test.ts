import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { hasFocus, valueSaved } from '../kit/browser/waits.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { getContact } from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import type { Json } from '../kit/service/test-service.ts';

inBrowser('Contact page', (fixture) => {
  let owner: CheckedUser;
  let contact: Json;
  let campaign: Json;
  before(async () => {
    const { service } = fixture;
    owner = await checkedUser(service, fixture.owner);
    const agent = await makeDeployedAgent(owner, 'Order desk');
    const line = await makePhoneChannel(owner, agent);
    contact = await makeContact(service, {
      first_name: 'Ada',
      last_name: 'Lovelace',
      tags: ['vip', 'london'],
    });
    for (let at = 0; at < 21; at++) await recordCall(service, line, contact.phone_number);
    const make = (name: string) =>
      owner.request('POST', '/campaigns', { name, agent_id: agent.id, status: 'active' }, 201);
    campaign = await make('Spring');
    await make('Autumn');
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { contact_ids: [contact.id] });
    const crm = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    const sent = await service.post(
      `/hooks/contacts/${crm.id}`,
      { phone_number: contact.phone_number, crm_ids: { hubspot: '4711' } },
      { key: crm.secret },
    );
    assert.ok(sent.status < 300, sent.text);
  });
  const path = () => `/contacts/${contact.id}`;
  const stored = () => getContact(fixture.service, contact.id);

  it('A contact shows its profile, CRM IDs, enrollments, and a timeline with agent and version of each call', () =>
    fixture.visit(path(), async (page) => {
      await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
      await page.getByText('4711').waitFor();
      const entries = page.getByRole('list', { name: 'Timeline' }).locator('> li');
      await entries.first().getByText('Changed: CRM IDs').waitFor();
      await entries.getByText('Enrolled in a campaign').waitFor();
      const call = entries.filter({ hasText: 'Inbound call' }).first();
      assert.match((await call.textContent()) ?? '', /Order desk\s*v1\s*on Line/);
      await checkAxe(page);
      await takeScreenshots(page, 'contact');
      assert.equal(await entries.count(), 20);
      await page.getByRole('button', { name: 'Show older entries' }).click();
      await entries.getByText('Created', { exact: true }).waitFor();
      assert.ok((await entries.count()) > 21);
    }));

  it('A contact is edited in place by keyboard, and a rejected value stays in its field', () =>
    fixture.visit(path(), async (page) => {
      await page.getByRole('button', { name: 'Edit Company' }).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.type('Analytical Engines');
      await page.keyboard.press('Enter');
      await valueSaved(page, 'Analytical Engines Edit Company');
      await page.getByRole('button', { name: 'Edit Email' }).click();
      await page.getByLabel('Email').fill('no address');
      await page.keyboard.press('Enter');
      await page.getByText('Must be an email address').waitFor();
      assert.equal(await page.getByLabel('Email').inputValue(), 'no address');
      await checkAxe(page);
      await page.getByLabel('Email').fill('ada@example.com');
      await page.keyboard.press('Enter');
      await valueSaved(page, 'ada@example.com Edit Email');
      await page.getByRole('button', { name: 'Edit Notes' }).click();
      await page.getByLabel('Notes').fill('Wrote the first program.\nLikes numbers.');
      await page.getByRole('button', { name: 'Save' }).click();
      await valueSaved(page, 'Likes numbers.');
      await page.getByRole('button', { name: 'Edit tags' }).click();
      await hasFocus(page.getByLabel('Tags', { exact: true }));
      await page.keyboard.type('poet,');
      await page.getByRole('button', { name: 'Remove london' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('link', { name: 'poet' }).waitFor();
      await page.getByText('Tags changed.').waitFor();
      await page.getByRole('button', { name: 'Edit Last name' }).click();
      await page.getByLabel('Last name').fill('');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Ada', exact: true }).waitFor();
      await valueSaved(page, 'Edit Last name');
      const { company, email, notes, tags, last_name } = await stored();
      assert.deepEqual(
        { company, email, notes, tags, last_name },
        {
          company: 'Analytical Engines',
          email: 'ada@example.com',
          notes: 'Wrote the first program.\nLikes numbers.',
          tags: ['vip', 'poet'],
          last_name: null,
        },
      );
    }));

  it('A contact form keeps its text when the connection is lost, and asks before it is left', () =>
    fixture.visit(
      path(),
      async (page) => {
        await page.getByRole('button', { name: 'Edit Display name' }).click();
        await page.getByLabel('Display name').fill('Countess');
        await page.context().setOffline(true);
        await page.keyboard.press('Enter');
        await page.getByText("Can't reach Roster.").waitFor();
        assert.equal(await page.getByLabel('Display name').inputValue(), 'Countess');
        await page.context().setOffline(false);
        await page.getByRole('link', { name: 'Contacts' }).first().click();
        await page.getByText('Leave without saving?').waitFor();
        await page.getByRole('button', { name: 'Cancel' }).last().click();
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByRole('heading', { level: 1, name: 'Countess' }).waitFor();
        await valueSaved(page, 'Countess Edit Display name');
      },
      { expected: /ERR_INTERNET_DISCONNECTED/ },
    ));

  it('The enrollments of a contact can be changed, removed and added', () =>
    fixture.visit(path(), async (page) => {
      const enrollments = `/contacts/${contact.id}/enrollments`;
      await page.getByLabel('Status in Spring').selectOption('Completed');
      await page.getByText('Spring marked as completed.').waitFor();
      assert.equal((await owner.request('GET', enrollments))[0].status, 'completed');
      await page.getByRole('button', { name: 'Remove from Spring' }).click();
      await page.getByText('The enrollment status (completed) will be lost.').waitFor();
      await page.getByRole('button', { name: 'Remove enrollment' }).click();
      await page.getByText('Not enrolled in any campaign.').waitFor();
      await page.getByRole('button', { name: 'Enroll', exact: true }).click();
      await page.getByRole('combobox', { name: 'Campaign' }).selectOption({ label: 'Autumn (active)' });
      await checkAxe(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Enroll' }).click();
      await page.getByLabel('Status in Autumn').waitFor();
      const toast = page.getByRole('region', { name: 'Notifications' }).getByText('Enrolled in Autumn.');
      assert.match(
        (await toast.getByRole('link', { name: 'Autumn' }).getAttribute('href')) ?? '',
        /^\/campaigns\/campaign_/,
      );
      assert.deepEqual(
        (await owner.request('GET', enrollments)).map((each: Json) => [each.campaign_name, each.status]),
        [['Autumn', 'pending']],
      );
    }));

  it('A contact can get another number, but not that of another contact', async () => {
    const other = await makeContact(fixture.service, { first_name: 'Grace' });
    const phone = newPhone();
    await fixture.visit(`${path()}?open=phone`, async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('New phone number').fill(other.phone_number);
      await dialog.getByRole('button', { name: 'Change number' }).click();
      await dialog.getByText('Another contact already has this phone number.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'contact-phone');
      await dialog.getByLabel('New phone number').fill(phone);
      await dialog.getByRole('button', { name: 'Change number' }).click();
      await page.getByText('Phone number changed.').waitFor();
      assert.equal((await stored()).phone_number, phone);
    });
  });

  it('Deleting a contact shows first what is lost', () =>
    fixture.visit(path(), async (page) => {
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 enrollment will be removed: Autumn.').waitFor();
      await dialog.getByText('21 calls and messages remain, without the name and number.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'contact-delete');
      await dialog.getByRole('button', { name: 'Delete contact' }).click();
      await page.getByText('Countess deleted.').waitFor();
      await page.waitForURL('**/contacts');
      await page.getByRole('button', { name: 'Dismiss' }).click();
      while ((await fixture.service.get(`/v1${path()}`)).status !== 404) await page.waitForTimeout(50);
      await page.goBack();
      await page.getByText('Not found').waitFor();
      await checkAxe(page);
    }));
});
