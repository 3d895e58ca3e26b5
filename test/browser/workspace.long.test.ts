import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createWorkspace } from '../../src/features/workspaces/workspace.service.ts';
import { checkAxe, inBrowser, OWNER, takeScreenshots } from '../kit/browser/browser.ts';
import { hasFocus } from '../kit/browser/waits.ts';
import { addDashboardUser, PASSWORD, signedInUser } from '../kit/dashboard/users.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';

inBrowser('Workspace', (fixture) => {
  it('The bell counts unread notices, which link to their records and are marked as read', async () => {
    const { owner } = fixture;
    const agent = (await owner.call('POST', '/agents', { name: 'Ada', instructions: 'Hello.' })).body.data;
    const campaign = { name: 'Spring', agent_id: agent.id };
    const { id } = (await owner.call('POST', '/campaigns', campaign)).body.data;
    const other = await signedInUser(fixture.service, 'colleague@example.com', 'member');
    await other.call('PATCH', `/campaigns/${id}`, { status: 'finished' });
    const plan = await planCsv(other, `Phone\n${newPhone()}\n`, { name: 'people.csv' });
    await applyImport(other, plan.id);
    await fixture.visit('/', async (page) => {
      const bell = page.getByRole('button', { name: 'Notices, 2 unread' });
      await bell.click();
      const dialog = page.getByRole('dialog', { name: 'Notices' });
      await dialog.getByText('Campaign Spring finished').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'notices');
      await dialog.getByRole('button', { name: 'Mark all as read' }).click();
      await dialog.getByText('Unread').first().waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await hasFocus(page.getByRole('button', { name: 'Notices', exact: true }));
      await page.keyboard.press('Enter');
      await dialog.getByRole('link', { name: /Import of people.csv finished/ }).click();
      await page.waitForURL(`**/import/${plan.id}`);
    });
  });

  it('An owner renames the workspace, and the shell shows the new name', () =>
    fixture.visit('/settings?tab=workspace', async (page) => {
      const name = page.getByLabel('Name', { exact: false }).first();
      await name.fill(' ');
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByText('Enter a name.').waitFor();
      await name.fill('Acme Bakery');
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('button', { name: 'Workspace Acme Bakery' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'settings-workspace');
    }));

  it('A person adds a workspace, switches, and another tab does not write to the wrong one', async () => {
    const storage = await openTestStorage(fixture.service.database);
    const { id } = await storage.run(createWorkspace, null, { name: 'Night shift' });
    await storage.close();
    await addDashboardUser(fixture.service, OWNER, 'owner', id);
    await fixture.visit('/contacts', async (page) => {
      const menu = () => page.getByRole('button', { name: /^Workspace / });
      await menu().click();
      await page.getByRole('menuitem', { name: 'Add workspace…' }).click();
      await page.getByRole('heading', { name: 'Add workspace' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'sign-in-add');
      await page.getByLabel('Email').fill(OWNER);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByLabel('Workspace').fill('Night shift');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Workspace Night shift' }).waitFor();
      const other = await page.context().newPage();
      await other.goto(`${fixture.service.url}/contacts?add=true`);
      await other.getByLabel('Phone number').fill('+14155550142');
      await menu().click();
      await takeScreenshots(page, 'workspace-menu');
      await page.getByRole('menuitem', { name: /Acme Bakery/ }).click();
      await page.getByRole('button', { name: 'Workspace Acme Bakery' }).waitFor();
      const dialog = other.getByRole('dialog', { name: 'You switched to another workspace' });
      await dialog.waitFor();
      await dialog.getByRole('button', { name: 'Switch back' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.match(await other.getByLabel('Phone number').inputValue(), /0142$/);
      await other.close();
    });
  });

  it('The palette finds campaigns, channels, imports, settings and contacts by number, and creates from anywhere', async () => {
    const phone_number = '+14155550187';
    await fixture.service.post('/v1/contacts', { phone_number, first_name: 'Grace' });
    await fixture.owner.call('POST', '/channels', { kind: 'web_chat', name: 'Site chat', address: 'chat' });
    await fixture.visit('/calls', async (page) => {
      await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor();
      const field = page.getByRole('combobox', { name: 'Search or run a command' });
      const find = async (text: string, name: RegExp | string) => {
        await page.keyboard.press('Control+K');
        await field.fill(text);
        await page.getByRole('option', { name }).first().waitFor();
      };
      const close = async () => {
        await page.keyboard.press('Escape');
        await field.waitFor({ state: 'detached' });
      };
      for (const [text, name] of [
        ['spring', /Spring/],
        ['site ch', /Site chat/],
        ['people', /people\.csv/],
        ['api keys', /Settings: API keys/],
        ['5550187', /Grace/],
      ] as const) {
        await find(text, name);
        await close();
      }
      await find('create camp', 'Create campaign');
      await checkAxe(page);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/campaigns?add=true');
      await page.getByRole('dialog').waitFor();
    });
  });

  it('Keys show their first characters, their creator and a link to the reference', async () => {
    const key = (await fixture.owner.call('POST', '/keys', { name: 'Till' })).body.data;
    await fixture.visit('/settings?tab=keys', async (page) => {
      await page.getByText(`${key.key.slice(0, -28)}…`).waitFor();
      await page.getByText(`by ${OWNER}`).first().waitFor();
      assert.equal(await page.getByText(key.key).count(), 0);
      const link = page.getByRole('link', { name: /API reference/ });
      assert.equal(await link.getAttribute('href'), '/docs#tag/keys');
      await checkAxe(page);
      await takeScreenshots(page, 'settings-keys');
    });
  });

  it('An integration shows its errors, and is renamed', async () => {
    const { id } = (await fixture.owner.call('POST', '/integrations', { name: 'CRM' })).body.data;
    const errors = [
      { at: new Date().toISOString(), status: 400, code: 'VALIDATION_ERROR', fields: ['email'], count: 3 },
      { at: new Date().toISOString(), status: 401, code: 'UNAUTHORIZED', fields: [], count: 1 },
    ];
    await fixture.service.database.query(
      'update integrations set errors = ? where id = ?',
      JSON.stringify(errors),
      id,
    );
    await fixture.visit('/integrations', async (page) => {
      await page.getByText('Invalid request').waitFor();
      await takeScreenshots(page, 'integrations-health');
      await page.getByRole('link', { name: 'CRM' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Check these fields: email.').waitFor();
      await dialog.getByText('Wrong secret').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'integration-errors');
      await dialog.getByRole('button', { name: 'Rename' }).click();
      const rename = page.getByRole('dialog', { name: 'Rename integration' });
      await rename.getByLabel('Name').fill('HubSpot');
      await rename.getByRole('button', { name: 'Rename' }).click();
      await rename.waitFor({ state: 'detached' });
      await page.getByRole('dialog', { name: 'HubSpot' }).waitFor();
    });
  });

  it('The sign-in shows the password on request and says what to do if it is forgotten', () =>
    fixture.visit(
      '/sign-in',
      async (page) => {
        const password = page.getByLabel('Password');
        await password.fill('correct horse');
        await page.getByRole('button', { name: 'Show password' }).click();
        assert.equal(await password.getAttribute('type'), 'text');
        await page.getByRole('button', { name: 'Hide password' }).click();
        assert.equal(await password.getAttribute('type'), 'password');
        await page.getByText('Forgot your password?').click();
        await page.getByText('npx roster user link').waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'sign-in-forgotten');
      },
      { signedIn: false },
    ));

  it('A member sees no pages and notices of owners', async () => {
    const user = await signedInUser(fixture.service, 'member@example.com', 'member');
    await fixture.visit(
      '/',
      async (page) => {
        await page.getByRole('heading', { level: 1 }).waitFor();
        assert.equal(await page.getByRole('link', { name: 'Integrations' }).count(), 0);
        await page.keyboard.press('Control+K');
        await page.getByRole('combobox', { name: 'Search or run a command' }).fill('create');
        await page.getByRole('option', { name: 'Create agent' }).waitFor();
        assert.equal(await page.getByRole('option', { name: 'Create API key' }).count(), 0);
      },
      { user },
    );
  });
});
