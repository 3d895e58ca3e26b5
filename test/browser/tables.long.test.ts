import { before, it } from 'node:test';
import { inBrowser } from '../kit/browser/browser.ts';
import type { DashboardUser } from '../kit/dashboard/users.ts';
import { createDemoWorkspace } from '../kit/fixtures/demo-data.ts';
import type { Json } from '../kit/service/test-service.ts';
import { checkTable } from './table-layout.ts';

const WIDTHS = [390, 680, 900, 1024, 1360, 1920];

inBrowser('All tables', (fixture) => {
  let demoOwner: DashboardUser;
  before(async () => {
    demoOwner = await createDemoWorkspace(fixture.service);
  });

  it('Every table fits every width, with aligned headers and no broken words', async () => {
    const { data: campaigns } = (await demoOwner.call('GET', '/campaigns')).body;
    const campaign = campaigns.find(({ name }: Json) => name === 'New season tasting');
    const { data: imports } = (await demoOwner.call('GET', '/imports')).body;
    await demoOwner.call('POST', '/integrations', { name: 'CRM of the front office' });
    const webhooks = { url: 'http://127.0.0.1:9/events', types: ['contact.created'] };
    const { data: webhook } = (await demoOwner.call('POST', '/webhooks', webhooks)).body;
    await demoOwner.call('POST', `/webhooks/${webhook.id}/test`);
    await demoOwner.call('POST', '/keys', { name: 'Website form', scope: 'read_write', expires_at: null });
    const plan = { key: 'plan', label: 'Plan', type: 'enum', options: ['gold', 'silver'] };
    await demoOwner.call('POST', '/fields', plan);
    await demoOwner.call('POST', '/fields', { key: 'renewal_date', label: 'Renewal date', type: 'date' });
    await demoOwner.call('POST', '/users', { email: 'long.name@roster.example', role: 'member' });
    const paths = [
      '/contacts',
      '/contacts?view=conflicts',
      '/segments',
      '/agents',
      '/campaigns',
      `/campaigns/${campaign.id}`,
      '/calls',
      '/channels',
      '/integrations',
      '/webhooks',
      `/webhooks/${webhook.id}`,
      '/audit-log',
      '/tags',
      '/import',
      `/import/${imports[0].id}`,
      '/settings?tab=keys',
      '/settings?tab=members',
      '/settings?tab=fields',
      '/contacts?columns=name,phone,fields.plan,fields.renewal_date,last',
    ];
    await fixture.visit(
      '/sign-in',
      async (page) => {
        const problems: string[] = [];
        for (const path of paths) {
          await page.goto(fixture.service.url + path);
          for (const width of WIDTHS)
            await checkTable(page, path, width).catch((error: Error) => problems.push(error.message));
        }
        if (problems.length > 0) throw new Error(problems.join('\n\n'));
      },
      { user: demoOwner },
    );
  });
});
