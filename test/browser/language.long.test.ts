import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { inBrowser } from '../kit/browser/browser.ts';
import { newPhone } from '../kit/fixtures/factories.ts';

const PAGES: readonly (readonly [path: string, heading: string])[] = [
  ['/', 'Start'],
  ['/contacts', 'Kontakte'],
  ['/segments', 'Segmente'],
  ['/import', 'Importe'],
  ['/agents', 'Agenten'],
  ['/campaigns', 'Kampagnen'],
  ['/calls', 'Anrufe'],
  ['/channels', 'Kanäle'],
  ['/integrations', 'Integrationen'],
  ['/webhooks', 'Webhooks'],
  ['/audit-log', 'Audit-Protokoll'],
  ['/settings', 'Einstellungen'],
  ['/tags', 'Schlagwörter'],
];

inBrowser('Language', (fixture) => {
  /** A visit by a reader whose browser prefers these languages. */
  const visitIn = async (locale: string, work: (page: Page) => Promise<void>, width = 1280) => {
    const context = await fixture.browser.newContext({
      locale,
      timezoneId: 'Europe/Berlin',
      viewport: { width, height: 800 },
    });
    try {
      const [name, value = ''] = fixture.owner.cookie.split('=');
      await context.addCookies([{ name: name ?? '', value, url: fixture.service.url, httpOnly: true }]);
      await work(await context.newPage());
    } finally {
      await context.close();
    }
  };

  it('A German browser gets German pages, dates and numbers', async () => {
    const contact = { phone_number: newPhone(), first_name: 'Ada', tags: ['vip'] };
    const { body } = await fixture.service.post('/v1/contacts', contact);
    await visitIn('de-DE', async (page) => {
      for (const [path, heading] of PAGES) {
        await page.goto(fixture.service.url + path);
        await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      }
      assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
      await page.goto(`${fixture.service.url}/contacts/${body.data.id}`);
      const time = page.locator('main time').first();
      await time.waitFor();
      assert.match((await time.getAttribute('title')) ?? '', /^\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}:\d{2}$/);
    });
  });

  it('A German page translates the messages of the service', async () => {
    const { body } = await fixture.owner.call('POST', '/agents', { name: 'Empfang', instructions: 'Hallo.' });
    const created = await fixture.owner.call('POST', '/campaigns', {
      name: 'Frühling',
      agent_id: body.data.id,
      status: 'active',
    });
    const { id } = created.body.data;
    await visitIn('de-DE', async (page) => {
      await page.goto(`${fixture.service.url}/campaigns/${id}?open=schedule`);
      const dialog = page.getByRole('dialog', { name: 'Zeitplan' });
      await dialog.getByLabel('Start').fill('2020-01-01T09:00');
      await dialog.getByLabel('Versuche pro Kontakt').fill('101');
      await dialog.getByRole('button', { name: 'Speichern' }).click();
      await dialog.getByText('Der Start muss in der Zukunft liegen.').waitFor();
      await dialog.getByText('Geben Sie eine ganze Zahl von 1 bis 100 ein.').waitFor();
      await dialog.getByLabel('Start').fill('2099-01-01T09:00');
      await dialog.getByLabel('Versuche pro Kontakt').fill('3');
      await dialog.getByRole('button', { name: 'Speichern' }).click();
      await dialog.getByText('Diese Kampagne ist bereits aktiv und kann nicht später starten.').waitFor();

      const csv = 'Telefon,Vorname\n030 23125001,Ada\n';
      const options = { raw: csv, headers: { 'content-type': 'text/csv' } };
      const plan = (await fixture.owner.call('POST', '/imports?country=FR', undefined, options)).body.data;
      await page.goto(`${fixture.service.url}/import/${plan.id}`);
      await page.getByRole('cell', { name: 'Zu viele Ziffern für eine Nummer in Frankreich.' }).waitFor();
    });
  });

  it('German texts fit on a phone', () =>
    visitIn(
      'de',
      async (page) => {
        for (const [path, heading] of PAGES) {
          await page.goto(fixture.service.url + path);
          await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(width <= 390, `${path} is ${width} pixels wide`);
        }
      },
      390,
    ));

  it('Readers of a language without translations get English', () =>
    visitIn('fr-FR', async (page) => {
      await page.goto(`${fixture.service.url}/contacts`);
      await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
    }));
});
