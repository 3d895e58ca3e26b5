import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { inBrowser } from '../kit/browser/browser.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { recordCall } from '../kit/fixtures/calls.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { planCsv } from '../kit/imports/imports.ts';
import type { Json } from '../kit/service/test-service.ts';

/** Each calls `harmed` or sends a request to another host if the browser interprets it as more than text. */
const texts = [
  '<script>harmed(0)</script>',
  '<img src=x onerror=harmed(1)>',
  '<svg onload=harmed(2)>',
  'javascript:harmed(3)',
  "{{constructor.constructor('harmed(4)')()}}",
  '"\'`><b onmouseover=harmed(5) onfocus=harmed(5) autofocus>',
  '</script></style></title></textarea><script>harmed(6)</script>',
  '</style><style>*{background:url(//example.com/7)}</style>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the attack
  '${harmed(8)}',
] as const;
const all = texts.join(' ');
const address = '<img/src=x/onerror=harmed(9)>@example.com';
/** None of these may become an element of the page. */
const INJECTED = 'img, b, main script, main style, [onload], [onerror], [onmouseover], a[href^="javascript"]';

inBrowser('Hostile text', (fixture) => {
  const made = {} as Record<
    'contact' | 'agent' | 'campaign' | 'channel' | 'integration' | 'webhook' | 'call' | 'import',
    string
  >;
  before(async () => {
    const owner = await checkedUser(fixture.service, fixture.owner);
    await fixture.service.database.query('update workspaces set name = ?', texts[1]);
    const contact = await makeContact(fixture.service, { display_name: all.slice(0, 200), tags: texts });
    for (const text of texts) await createRecordsWith(owner, text, contact);
    await owner.request('POST', '/users', { email: address, role: 'member' }, 201);
    made.contact = contact.id;
  });

  /** Creates a record of every kind with the text in every text field. */
  const createRecordsWith = async ({ request, call }: CheckedUser, text: string, contact: Json) => {
    const agent = await request(
      'POST',
      '/agents',
      { name: text, description: all.slice(0, 500), instructions: all },
      201,
    );
    const [version] = (await request('GET', `/agents/${agent.id}`)).versions;
    await request('POST', `/agents/${agent.id}/versions/${version.id}/deploy`, {
      note: text,
      confirm_unknown_variables: true,
    });
    await request('PATCH', `/agents/${agent.id}`, { instructions: `${text}\n${all}` });
    const channel = await request('POST', '/channels', { kind: 'web_chat', name: text, address: text }, 201);
    await request('PUT', `/channels/${channel.id}/agent`, { agent_id: agent.id });
    const recorded = await recordCall(fixture.service, channel, contact.phone_number, { provider_id: text });
    const campaign = await request(
      'POST',
      '/campaigns',
      { name: text, agent_id: agent.id, status: 'active' },
      201,
    );
    await request('POST', `/campaigns/${campaign.id}/enrollments`, { contact_ids: [contact.id] });
    const integration = await request('POST', '/integrations', { name: text }, 201);
    const endpoint = { url: 'https://example.com/', status: 'paused', description: text };
    const webhook = await request('POST', '/webhooks', endpoint, 201);
    await request('POST', '/keys', { name: text, scope: 'read' }, 201);
    const cell = `"${text.replaceAll('"', '""')}"`;
    const csv = `Phone,${cell},Tags\n12,${cell},${cell}\n+12125550111,${cell},${cell}\n`;
    const plan = await planCsv({ call }, csv, { name: `${text.replaceAll('/', '_')}.csv` });
    Object.assign(made, {
      agent: agent.id,
      campaign: campaign.id,
      channel: channel.id,
      call: recorded.id,
      integration: integration.id,
      webhook: webhook.id,
      import: plan.id,
    });
  };

  const last = texts[8];
  const click = (page: Page, role: 'button' | 'tab' | 'menuitem', name: string | RegExp) =>
    page.getByRole(role, { name }).first().click();

  it('Hostile text is shown as plain text on every page and in every dialog', () =>
    fixture.visit('/sign-in', async (page) => {
      const executions: unknown[] = [];
      await page.exposeFunction('harmed', (which: unknown) => executions.push(which));
      /** Opens a page, optionally acts on it, and asserts that it shows the texts literally. */
      const checkPage = async (path: string, shown: readonly string[], work?: () => Promise<void>) => {
        await page.goto(fixture.service.url + path);
        await work?.();
        for (const text of shown)
          await page
            .waitForFunction((wanted) => {
              const typed = [...document.querySelectorAll('input, textarea, select')].map(
                (each) => (each as HTMLInputElement).value,
              );
              return [document.body.textContent, ...typed].join('\n').includes(wanted);
            }, text)
            .catch(() => assert.fail(`${path} does not show ${text}`));
        assert.deepEqual(
          await page.locator(INJECTED).evaluateAll((found) => found.map((each) => each.outerHTML)),
          [],
          path,
        );
      };
      const record = { agent: `/agents/${made.agent}`, campaign: `/campaigns/${made.campaign}` };

      await checkPage('/', [texts[1], texts[7]]);
      await checkPage('/contacts', [texts[0]]);
      await checkPage(`/contacts/${made.contact}`, texts);
      await checkPage(`/contacts/${made.contact}?open=enroll`, texts);
      await checkPage(
        '/import',
        texts.map((text) => `${text.replaceAll('/', '_')}.csv`),
      );
      await checkPage('/import', [texts[1], texts[2], texts[3]], () =>
        page.locator('input[type=file]').setInputFiles({
          name: `${texts[1]}.csv`,
          mimeType: 'text/csv',
          buffer: Buffer.from(`Phone,${texts[2]}\n+12125550112,${texts[3]}\n`),
        }),
      );
      await checkPage(`/import/${made.import}`, [last]);
      await checkPage(`/import/${made.import}?change=true`, [last]);
      await checkPage('/agents', texts);
      await checkPage(record.agent, [last, all]);
      await checkPage(record.agent, [`Delete ${last}?`], async () => {
        await click(page, 'button', 'More actions');
        await click(page, 'menuitem', 'Delete agent…');
      });
      await checkPage(`${record.agent}?compare=v1..v2`, [last]);
      await checkPage(`${record.agent}?deploy=v2`, [last]);
      await checkPage(`${record.agent}?connect=true`, [texts[0]]);
      await checkPage('/campaigns', texts);
      await checkPage('/campaigns?add=true', texts);
      await checkPage(record.campaign, [last, texts[0]]);
      for (const open of ['edit', 'enroll', 'finish'])
        await checkPage(`${record.campaign}?open=${open}`, [last]);
      await checkPage('/calls', [texts[0], last]);
      await checkPage(`/calls?call=${made.call}`, [last, texts[0]]);
      await checkPage(`/calls?agent=${encodeURIComponent(all)}&contact=${encodeURIComponent(all)}`, [
        'Calls',
      ]);
      await checkPage('/channels', texts);
      await checkPage(`/channels?channel=${made.channel}`, [last], () => click(page, 'button', 'Edit'));
      await checkPage(`/channels?channel=${made.channel}`, [last], () => click(page, 'button', 'Delete'));
      await checkPage('/integrations', texts);
      await checkPage(`/integrations?integration=${made.integration}`, [last], () =>
        click(page, 'button', 'Delete'),
      );
      await checkPage('/webhooks', texts);
      await checkPage(`/webhooks/${made.webhook}`, [last]);
      await checkPage(`/webhooks/${made.webhook}?open=edit`, [last]);
      await checkPage('/settings?tab=keys', texts, () => click(page, 'button', /^Revoke/));
      await checkPage('/settings?tab=keys&add=true', [`${texts[6]} created`], async () => {
        await page.getByRole('textbox', { name: 'Name' }).fill(texts[6]);
        await page.keyboard.press('Enter');
      });
      await checkPage('/settings?tab=members', [address], async () => {
        await click(page, 'button', `Actions for ${address}`);
        await click(page, 'menuitem', 'Remove');
      });
      await checkPage('/settings?tab=workspace', [texts[1]]);
      await checkPage('/contacts', [texts[5]], async () => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Search or run a command' }).fill(texts[5]);
      });
      await page.evaluate("harmed('as it would')");
      assert.deepEqual(executions, ['as it would']);
    }));
});
