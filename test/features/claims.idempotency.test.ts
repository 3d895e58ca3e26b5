import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { digest } from '../../src/lib/encryption.ts';
import {
  type CampaignApi,
  campaignApi,
  makeActiveCampaign,
  makeContacts,
} from '../kit/fixtures/campaigns.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { assertError } from '../kit/http/assertions.ts';
import { isReplay, withIdempotencyKey } from '../kit/http/idempotency.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Idempotency of campaigns', (service) => {
  let api: CampaignApi;
  before(async () => {
    api = await campaignApi(service);
  });
  const enrolled = async (id: string) => (await api.request('GET', `/campaigns/${id}`)).enrolled;
  const storedAnswers = async () =>
    (await service.database.query('select answer, subject from retries')).map((row) => ({ ...row }));

  test('A retried claim gets the same claims with the current contacts, and takes no others', async () => {
    const { id } = await makeActiveCampaign(service, api, 5);
    const key = withIdempotencyKey('claim once');
    const first = await api.claim(id, { limit: 2 }, key);
    const again = await api.claim(id, { limit: 2 }, key);
    assert.equal(first.status, 200, first.text);
    assert.deepEqual([isReplay(first), isReplay(again)], [false, true]);
    assert.equal(again.text, first.text);
    assert.deepEqual(await enrolled(id), enrollmentCounts({ pending: 3, in_progress: 2 }));
    assertError(await api.claim(id, { limit: 3 }, key), 422, 'IDEMPOTENCY_MISMATCH');
    const [{ contact }, kept] = first.body.data.claims;
    await service.patch(`/v1/contacts/${kept.contact.id}`, { first_name: 'Renamed' });
    assert.equal((await service.delete(`/v1/contacts/${contact.id}`)).status, 200);
    const { claims } = (await api.claim(id, { limit: 2 }, key)).body.data;
    assert.equal(claims.length, 1, 'a deleted contact is left out');
    assert.deepEqual([claims[0].claim_id, claims[0].contact.first_name], [kept.claim_id, 'Renamed']);
  });

  test('A retried claim leaves out contacts whose lease has ended, because another caller may have them', async () => {
    const { id } = await makeActiveCampaign(service, api, 1);
    const key = withIdempotencyKey('claim late');
    const [{ contact, claim_id, lease_expires_at }] = (await api.claim(id, {}, key)).body.data.claims;
    const past = '2020-01-01T00:00:00.000Z';
    await service.database.query(
      'update enrollments set available_at = ? where campaign_id = ? and leased = 1',
      past,
      id,
    );
    const answers = 'update retries set answer = replace(answer, ?, ?) where answer like ?';
    await service.database.query(answers, lease_expires_at, past, `%${claim_id}%`);
    const [other] = await api.claims(id);
    assert.equal(other.contact.id, contact.id);
    const again = await api.claim(id, {}, key);
    assert.ok(isReplay(again));
    assert.deepEqual(again.body.data.claims, []);
  });

  test('Concurrent claims with one key are executed once', async () => {
    const { id } = await makeActiveCampaign(service, api, 20);
    const key = withIdempotencyKey('concurrent claim');
    const replies = await Promise.all(Array.from({ length: 8 }, () => api.claim(id, { limit: 2 }, key)));
    const texts = new Set(replies.filter(({ status }) => status === 200).map(({ text }) => text));
    assert.equal(texts.size, 1);
    for (const reply of replies) if (reply.status !== 200) assertError(reply, 409, 'CONFLICT');
    assert.deepEqual(await enrolled(id), enrollmentCounts({ pending: 18, in_progress: 2 }));
  });

  test('Stored answers contain no fields of contacts, or are erased with the contact', async () => {
    const { id } = await makeActiveCampaign(service, api, 0);
    const [contact] = (await makeContacts(service, 1, 'secret tag')) as [string];
    const { data } = (
      await service.patch(`/v1/contacts/${contact}`, {
        display_name: 'Violet Canary',
        email: 'v@example.com',
      })
    ).body;
    const enrolling = { contact_ids: [contact, data.phone_number] };
    const path = `/campaigns/${id}/enrollments`;
    const enrollOnce = () => api.call('POST', path, enrolling, withIdempotencyKey('private enroll'));
    const reply = await enrollOnce();
    assert.deepEqual(reply.body.data, {
      enrolled: 1,
      already_enrolled: 0,
      not_found: [data.phone_number],
    });
    assert.deepEqual((await enrollOnce()).body, reply.body);
    await api.claim(id, {}, withIdempotencyKey('private claim'));
    const report = { outcome: 'spoke to Violet Canary' };
    const reportOnce = () => api.report(id, contact, report, withIdempotencyKey('private report'));
    assert.equal((await reportOnce()).text, (await reportOnce()).text);
    const isPrivate = (text: unknown) =>
      /Violet|v@example|secret tag/.test(String(text)) || String(text).includes(data.phone_number);
    const before = (await storedAnswers()).filter(({ answer }) => isPrivate(answer));
    assert.deepEqual(
      before.map(({ subject }) => subject),
      [contact],
      'only the report names the contact, and is stored under it',
    );
    assert.equal((await service.delete(`/v1/contacts/${contact}`)).status, 200);
    assert.deepEqual(
      (await storedAnswers()).filter(({ answer }) => isPrivate(answer)),
      [],
    );
    assertError(await reportOnce(), 409, 'CONFLICT');
  });

  test('A retry of enrolling a tag continues after its last step, although contacts were deleted since', async () => {
    const { id } = await makeActiveCampaign(service, api, 0);
    const contacts = await makeContacts(service, 1_002, 'many');
    const path = `/campaigns/${id}/enrollments`;
    const enrollOnce = () => api.call('POST', path, { tag: 'many' }, withIdempotencyKey('enroll many'));
    const first = await enrollOnce();
    assert.equal(first.body.data.enrolled, 1_002);
    const newest: Json[] = (await service.get('/v1/contacts?tag=many&limit=2')).body.data;
    await service.delete(`/v1/contacts/${contacts.find((each) => newest.every(({ id }) => id !== each))}`);
    const again = await enrollOnce();
    assert.deepEqual([again.text, isReplay(again)], [first.text, true]);
    // The state after the first of its two transactions.
    const second = digest(`${digest('enroll many')} 1`);
    await service.database.query('delete from retries where key_hash = ?', second);
    for (const contact of newest) await api.call('DELETE', `${path}/${contact.id}`);
    assert.deepEqual(await enrolled(id), enrollmentCounts({ pending: 999 }));
    assert.equal((await enrollOnce()).text, first.text);
    assert.deepEqual(await enrolled(id), enrollmentCounts({ pending: 1_001 }));
  });

  test('Creating and updating a campaign is executed once for a key', async () => {
    const { agent } = await makeActiveCampaign(service, api, 0);
    const fields = { name: 'Once', agent_id: agent.id };
    const create = () => api.call('POST', '/campaigns', fields, withIdempotencyKey('create campaign'));
    const [first, again] = [await create(), await create()];
    assert.equal(first.status, 201, first.text);
    assert.equal(again.text, first.text);
    const { id } = first.body.data;
    assert.equal(again.headers.get('location'), `/v1/campaigns/${id}`);
    const change = (etag: string | null) =>
      api.call(
        'PATCH',
        `/campaigns/${id}`,
        { status: 'active' },
        {
          headers: { 'if-match': etag, 'idempotency-key': 'activate' },
        },
      );
    const etag = first.headers.get('etag');
    const changed = await change(etag);
    assert.equal(changed.status, 200, changed.text);
    assert.equal((await change(etag)).text, changed.text);
    const stale = await api.call(
      'PATCH',
      `/campaigns/${id}`,
      { name: 'x' },
      { headers: { 'if-match': etag } },
    );
    assertError(stale, 412, 'PRECONDITION_FAILED');
  });
});
