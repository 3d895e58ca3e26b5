import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { addFilter, shownRows } from '../kit/browser/lists.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import type { Json } from '../kit/service/test-service.ts';
import type { TestChannel } from '../kit/webhooks/channel-hooks.ts';

const ADA = '+12125550101';

inBrowser('Results of calls', (fixture) => {
  let owner: CheckedUser;
  let agent: Json;
  let line: TestChannel;
  before(async () => {
    owner = await checkedUser(fixture.service, fixture.owner);
    agent = await makeDeployedAgent(owner, 'Front desk', 'Greet {{first_name}}.');
    line = await makePhoneChannel(owner, agent);
    await makeContact(fixture.service, { phone_number: ADA, first_name: 'Ada', last_name: 'Lovelace' });
    await owner.request('POST', '/fields', { key: 'budget', label: 'Budget', type: 'number' }, 201);
  });

  it('Owners define dispositions, rules and the retention of transcripts, and members see them', () =>
    fixture.visit('/settings?tab=calls', async (page) => {
      const add = page.getByRole('button', { name: 'Add disposition' });
      for (const [at, label] of ['Booked', 'Call back later', 'Wrong number'].entries()) {
        await add.click();
        await page.getByLabel('Label').nth(at).fill(label);
      }
      assert.equal(await page.getByLabel('Key', { exact: true }).nth(1).inputValue(), 'call_back_later');
      await page.getByRole('button', { name: 'Move Wrong number up' }).click();
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Enter a name.').waitFor();
      await page.getByLabel('Name in the data').fill('budget');
      await page.getByRole('combobox', { name: 'Field' }).selectOption({ label: 'Budget' });
      await page.getByText('Store transcripts').click();
      await checkAxe(page);
      await takeScreenshots(page, 'settings-calls');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Settings for calls saved.').waitFor();
      const settings = await owner.request('GET', '/call-settings');
      assert.deepEqual(settings, {
        dispositions: [
          { key: 'booked', label: 'Booked' },
          { key: 'wrong_number', label: 'Wrong number' },
          { key: 'call_back_later', label: 'Call back later' },
        ],
        field_rules: [{ data: 'budget', field: 'budget', mode: 'overwrite' }],
        transcript_days: 30,
      });
      const member = await signedInUser(fixture.service, 'member@example.com', 'member');
      await fixture.visit(
        '/settings?tab=calls',
        async (other) => {
          await other.getByText('Transcripts are kept for 30 days.').waitFor();
          await checkAxe(other);
          await takeScreenshots(other, 'settings-calls-member');
        },
        { user: member },
      );
    }));

  it('The calls page shows results, filters by them, and charts them by day and version', async () => {
    const { service } = fixture;
    const call = await recordCall(service, line, ADA, {
      provider_id: 'CA-1',
      status: 'completed',
      seconds: 95,
      disposition: 'booked',
      goals: { appointment_booked: true, consent_given: false },
      data: { budget: 1200, slots: ['Mon 10:00', 'Tue 14:30'], decided: true },
      summary: 'Ada booked an appointment for Monday and asked for a reminder by text message.',
      ended_by: 'caller',
      recording_url: 'https://recordings.example.com/CA-1.mp3',
      cost: { amount: 0.0421, currency: 'USD' },
    });
    const turns = [
      { speaker: 'agent', text: 'Hello, this is the front desk.', at: '2026-11-18T09:00:00.000Z' },
      { speaker: 'caller', text: 'I would like an appointment.', at: '2026-11-18T09:00:04.000Z' },
      { speaker: 'system', text: 'Looked up free slots.', at: null },
      { speaker: 'agent', text: 'Monday at ten?', at: '2026-11-18T09:00:09.000Z' },
    ];
    await owner.request('PUT', `/calls/${call.id}/transcript`, { turns });
    await recordCall(service, line, ADA, {
      status: 'completed',
      seconds: 10,
      disposition: 'wrong_number',
      goals: { appointment_booked: false },
    });
    await recordCall(service, line, ADA);
    await owner.request('PATCH', `/agents/${agent.id}`, { instructions: 'Greet {{first_name}} warmly.' });
    const [newest] = (await owner.request('GET', `/agents/${agent.id}`)).versions;
    await owner.request('POST', `/agents/${agent.id}/versions/${newest.id}/deploy`);
    for (const appointment_booked of [true, true, false])
      await recordCall(service, line, ADA, {
        status: 'completed',
        seconds: 40,
        disposition: appointment_booked ? 'booked' : 'call_back_later',
        goals: { appointment_booked },
      });

    await fixture.visit('/calls?charts=true', async (page) => {
      await shownRows(page, 6);
      await page.getByRole('row').filter({ hasText: 'Wrong number' }).getByText('(missed)').waitFor();
      await page
        .getByRole('table', { name: 'Goals by version' })
        .getByRole('row', { name: /All calls/ })
        .waitFor();
      const rates = page.getByRole('table', { name: 'Goals by version' }).getByRole('row');
      assert.match(await rates.nth(1).innerText(), /60%\s+3 of 5/);
      await checkAxe(page);
      await page.mouse.wheel(0, 900);
      await takeScreenshots(page, 'calls-results-charts');
    });
    await fixture.visit('/calls', async (page) => {
      await shownRows(page, 6);
      await takeScreenshots(page, 'calls-results');
      await addFilter(page, 'Disposition', 'Booked');
      await shownRows(page, 3);
      await addFilter(page, 'Duration', '60 s – 2 min'.replace('60 s', '1 min'));
      await shownRows(page, 1);
      await page.getByRole('button', { name: 'Clear all' }).click();
      await addFilter(page, 'Goal', 'Appointment booked: missed');
      await shownRows(page, 2);
      await page.getByRole('button', { name: 'Clear all' }).click();
      await page
        .getByRole('searchbox', { name: 'Search in summaries, notes and transcripts' })
        .fill('REMINDER by');
      await shownRows(page, 1);
      await takeScreenshots(page, 'calls-search');
      await page.getByRole('row').nth(1).getByRole('link').first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Ada booked an appointment for Monday').waitFor();
      await dialog.getByText('$0.0421').waitFor();
      const link = dialog.getByRole('link', { name: 'Open recording' });
      assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
      await dialog.getByText('I would like an appointment.').waitFor();
      await dialog.getByText('budget', { exact: true }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'call-result');
      await dialog.getByText('Monday at ten?').scrollIntoViewIfNeeded();
      await takeScreenshots(page, 'call-transcript');
    });
    await fixture.visit(`/agents/${agent.id}?compare=v1..v2`, async (page) => {
      const results = page.getByRole('table', { name: 'Results' });
      // The calls of the other version may be counted later.
      const booked = results.getByRole('row', { name: /Appointment booked/ });
      await booked.getByText('+17 points').waitFor();
      assert.match(
        (await booked.innerText()).replace(/\s+/g, ' '),
        /Appointment booked \+17 points 50% 1 of 2 67% 2 of 3/,
      );
      const outcomes = page.getByRole('region', { name: 'Outcomes' });
      const links = outcomes.getByRole('link', { name: /^Calls of v/ });
      assert.equal(await links.count(), 2);
      await checkAxe(page);
      await results.scrollIntoViewIfNeeded();
      await takeScreenshots(page, 'version-results');
    });
  });

  it('Turning transcripts off asks first, because it deletes them', () =>
    fixture.visit('/settings?tab=calls', async (page) => {
      await page.getByText('Store transcripts').click();
      await page.getByRole('button', { name: 'Save' }).click();
      const dialog = page.getByRole('dialog', { name: 'Turn transcripts off?' });
      await dialog.getByText('All stored transcripts are deleted permanently.').waitFor();
      await takeScreenshots(page, 'settings-transcripts-off');
      await dialog.getByRole('button', { name: 'Save and delete' }).click();
      await page.getByText('Settings for calls saved.').waitFor();
      assert.equal((await owner.request('GET', '/call-settings')).transcript_days, null);
    }));
});
