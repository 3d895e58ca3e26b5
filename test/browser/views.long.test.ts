import { it } from 'node:test';
import { inBrowser } from '../kit/browser/browser.ts';
import { newPhone } from '../kit/fixtures/factories.ts';

inBrowser('Saved views', (fixture) => {
  it('A saved view opens, and its address opens it again', async () => {
    await fixture.service.post('/v1/contacts', {
      phone_number: newPhone(),
      first_name: 'Ada',
      tags: ['vip'],
    });
    await fixture.service.post('/v1/contacts', { phone_number: newPhone(), first_name: 'Grace' });
    await fixture.visit('/contacts?tag=vip', async (page) => {
      const views = page.getByRole('navigation', { name: 'Views' });
      await views.getByRole('button', { name: /new view/i }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Important');
      await page.getByRole('dialog').getByLabel('Share with the workspace').click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.waitForURL(/view_id=/);
      await views.getByRole('button', { name: 'Important' }).waitFor();
      const id = new URL(page.url()).searchParams.get('view_id');
      await page.goto(`${fixture.service.url}/contacts?view_id=${id}`);
      await page.waitForURL(/tag=vip/);
      await page.getByText('1 match').waitFor();
    });
  });
});
