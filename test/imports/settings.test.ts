import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Asker, described } from '../kit/dashboard/checked-client.ts';
import { signedIn } from '../kit/dashboard/users.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Workspace settings', (service) => {
  let owner: Asker;
  before(async () => {
    owner = await described(service, await signedIn(service));
  });

  test('Workspace settings start without a country and store the one that is set', async () => {
    const nothing = { name: 'default', default_country: null };
    assert.deepEqual(await owner.ask('GET', '/settings'), nothing);
    const german = { name: 'default', default_country: 'DE' };
    assert.deepEqual(await owner.ask('PATCH', '/settings', { default_country: 'DE' }), german);
    assert.deepEqual(await owner.ask('GET', '/settings'), german);
    assert.deepEqual(await owner.ask('PATCH', '/settings', { default_country: null }), nothing);
    assert.deepEqual(await owner.ask('GET', '/settings'), nothing);
  });

  test('An unknown country is rejected', async () => {
    await owner.ask('PATCH', '/settings', { default_country: 'FR' });
    for (const default_country of ['de', 'DEU', 'XX', '49', '', ' DE', 49, ['DE']]) {
      assertInvalid(await owner.call('PATCH', '/settings', { default_country }), 'default_country');
    }
    assertInvalid(await owner.call('PATCH', '/settings', {}), 'default_country');
    assertInvalid(await owner.call('PATCH', '/settings', { default_country: 'DE', name: 'x' }), 'name');
    assert.equal((await owner.ask('GET', '/settings')).default_country, 'FR');
  });

  test('Members can read workspace settings, and only owners can change them', async () => {
    const member = await signedIn(service, 'member@example.com', 'member');
    assert.equal((await member.call('GET', '/settings')).status, 200);
    assertError(await member.call('PATCH', '/settings', { default_country: 'US' }), 403, 'FORBIDDEN');
    assert.equal((await owner.ask('GET', '/settings')).default_country, 'FR');
    assertError(await service.get('/dashboard/api/settings'), 401, 'UNAUTHORIZED');
  });

  test('Each workspace has its own settings', async () => {
    await service.database.query(
      "insert into workspaces (id, name, created_at) values (2, 'other', '2026-01-01T00:00:00.000Z')",
    );
    const other = await signedIn(service, 'other@example.com', 'owner', 2);
    await owner.ask('PATCH', '/settings', { default_country: 'DE' });
    assert.deepEqual((await other.call('GET', '/settings')).body.data, {
      name: 'other',
      default_country: null,
    });
    assert.equal((await other.call('PATCH', '/settings', { default_country: 'GB' })).status, 200);
    assert.equal((await owner.ask('GET', '/settings')).default_country, 'DE');
    assert.deepEqual((await service.get('/v1/contacts')).body.data, []);
  });
});
