import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Workspace settings', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
  });

  test('Workspace settings start without a country and store the one that is set', async () => {
    const utc = { time_zone: 'UTC', time_zone_chosen: false };
    const nothing = { name: 'default', default_country: null, ...utc };
    assert.deepEqual(await owner.request('GET', '/settings'), nothing);
    const german = { name: 'default', default_country: 'DE', ...utc };
    assert.deepEqual(await owner.request('PATCH', '/settings', { default_country: 'DE' }), german);
    assert.deepEqual(await owner.request('GET', '/settings'), german);
    assert.deepEqual(await owner.request('PATCH', '/settings', { default_country: null }), nothing);
    assert.deepEqual(await owner.request('GET', '/settings'), nothing);
  });

  test('An unknown country is rejected', async () => {
    await owner.request('PATCH', '/settings', { default_country: 'FR' });
    for (const default_country of ['de', 'DEU', 'XX', '49', '', ' DE', 49, ['DE']]) {
      assertInvalid(await owner.call('PATCH', '/settings', { default_country }), 'default_country');
    }
    assertInvalid(await owner.call('PATCH', '/settings', { default_country: 'DE', name: 'x' }), 'name');
    assert.equal((await owner.request('GET', '/settings')).default_country, 'FR');
  });

  test('The time zone is UTC until one is chosen, and an unknown one is rejected', async () => {
    const path = '/settings';
    const before = await owner.request('GET', path);
    assert.deepEqual([before.time_zone, before.time_zone_chosen], ['UTC', false]);
    const chosen = { ...before, time_zone: 'Europe/Berlin', time_zone_chosen: true };
    assert.deepEqual(await owner.request('PATCH', path, { time_zone: 'europe/berlin' }), chosen);
    for (const time_zone of ['', 'Berlin', '+01:00', 'Europe/Atlantis', ' UTC', 1, null, ['UTC']])
      assertInvalid(await owner.call('PATCH', path, { time_zone }), 'time_zone');
    assert.deepEqual(await owner.request('PATCH', path, {}), chosen);
    assert.deepEqual(await owner.request('GET', path), chosen);
    assert.deepEqual((await service.get('/v1/settings')).status, 403);
    const member = await signedInUser(service, 'clock@example.com', 'member');
    assert.deepEqual((await member.call('GET', path)).body.data, chosen);
    assertError(await member.call('PATCH', path, { time_zone: 'UTC' }), 403, 'FORBIDDEN');
  });

  test('Members can read workspace settings, and only owners can change them', async () => {
    const member = await signedInUser(service, 'member@example.com', 'member');
    assert.equal((await member.call('GET', '/settings')).status, 200);
    assertError(await member.call('PATCH', '/settings', { default_country: 'US' }), 403, 'FORBIDDEN');
    assert.equal((await owner.request('GET', '/settings')).default_country, 'FR');
    assertError(await service.get('/v1/settings', { headers: { authorization: null } }), 401, 'UNAUTHORIZED');
  });

  test('Each workspace has its own settings', async () => {
    await service.database.query(
      "insert into workspaces (id, name, created_at) values (2, 'other', '2026-01-01T00:00:00.000Z')",
    );
    const other = await signedInUser(service, 'other@example.com', 'owner', 2);
    await owner.request('PATCH', '/settings', { default_country: 'DE' });
    assert.deepEqual((await other.call('GET', '/settings')).body.data, {
      name: 'other',
      default_country: null,
      time_zone: 'UTC',
      time_zone_chosen: false,
    });
    assert.equal((await other.call('PATCH', '/settings', { default_country: 'GB' })).status, 200);
    assert.equal((await owner.request('GET', '/settings')).default_country, 'DE');
    assert.deepEqual((await service.get('/v1/contacts')).body.data, []);
  });
});
