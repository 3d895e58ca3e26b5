import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const HEADER =
  'contact_id,contact_name,contact_phone_number,status,reason,missing,attempts,outcome,enrolled_at,last_attempt_at,retry_at,lease_expires_at,updated_at,last_call_id,last_call_at,last_call_status,last_call_disposition,last_call_goals';

onEveryEngine('Export of enrollments', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    const dispositions = [{ key: 'booked', label: 'Booked' }];
    await owner.request('PUT', '/call-settings', { dispositions, field_rules: [], transcript_days: 30 });
  });

  const exported = async (campaign: string, query = ''): Promise<string[]> => {
    const reply = await owner.call('GET', `/campaigns/${campaign}/enrollments/export${query}`);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(String(reply.headers.get('content-disposition')), /filename="enrollments\.csv"/);
    const [header, ...rows] = reply.text.split('\r\n');
    assert.deepEqual([header?.replace('\ufeff', ''), rows.pop()], [HEADER, '']);
    return rows;
  };

  test('The export has each enrollment with its result and the last call since, oldest contacts first', async () => {
    const api = await campaignApi(service);
    const { id, agent, contacts } = await makeActiveCampaign(service, api, 3);
    const [first = '', second = '', third = ''] = contacts;
    await owner.request('PATCH', `/contacts/${first}`, { display_name: '=Ada' });
    const [claim] = await api.claims(id);
    await api.report(id, first, { claim_id: claim.claim_id, status: 'completed', outcome: '+1 "booked"' });
    const channel = await makePhoneChannel(owner, agent as { id: string });
    const { phone_number } = await owner.request('GET', `/contacts/${first}`);
    const other = await makePhoneChannel(owner);
    const calls: Json[] = [];
    for (const [line, started_at] of [
      [channel, undefined],
      [channel, '2020-01-01T00:00:00.000Z'],
      [other, undefined],
    ] as const) {
      const result = { disposition: 'booked', goals: { booking: true } };
      const { id } = await recordCall(service, line, phone_number, {
        started_at,
        status: 'completed',
        ...result,
      });
      calls.push(await owner.request('GET', `/calls/${id}`));
    }
    const enrollments: Json[] = await owner.request('GET', `/campaigns/${id}/enrollments?sort=contact`);
    const [one, two] = enrollments as [Json, Json];
    const rows = await exported(id);
    assert.deepEqual(
      rows.map((row) => row.split(',')[0]),
      [first, second, third],
    );
    assert.equal(
      rows[0],
      `${first},'=Ada,'${phone_number},completed,,,1,"'+1 ""booked""",${one.enrolled_at},${one.last_attempt_at},,,${one.updated_at},${calls[0].id},${calls[0].started_at},completed,booked,"{""booking"":true}"`,
    );
    assert.equal(
      rows[1],
      `${second},,'${two.contact_phone_number},pending,,,0,,${two.enrolled_at},,,,${two.updated_at},,,,,`,
    );
    assert.deepEqual(await exported(id, '?status=completed'), rows.slice(0, 1));
    assert.deepEqual(await exported(id, '?status=failed'), []);
  });

  test('The export of many enrollments has each once, also over several steps', async () => {
    const { id, contacts } = await makeActiveCampaign(service, await campaignApi(service), 450);
    const rows = await exported(id, '?status=pending');
    assert.deepEqual(
      rows.map((row) => row.split(',')[0]),
      contacts,
    );
  });

  test('A key gets only the columns that its scopes give access to', async () => {
    const api = await campaignApi(service);
    const { id, agent, contacts } = await makeActiveCampaign(service, api, 1);
    const channel = await makePhoneChannel(owner, agent as { id: string });
    const { phone_number: number } = await owner.request('GET', `/contacts/${contacts[0]}`);
    await recordCall(service, channel, number, { disposition: 'booked' });
    const path = `/campaigns/${id}/enrollments/export`;
    const cells = async (...more: ('contacts:read' | 'calls:read')[]) => {
      const key = await createScopedKey(service.database, 'campaigns:read', ...more);
      return (await service.get(`/v1${path}`, { key })).text.split('\r\n')[1]?.split(',') ?? [];
    };
    const [none, withContacts, withCalls] = [
      await cells(),
      await cells('contacts:read'),
      await cells('calls:read'),
    ];
    assert.deepEqual([none[0], none[2], none[3], none[16]], [contacts[0], '', 'pending', '']);
    assert.deepEqual([withContacts[2], withContacts[16]], [`'${number}`, '']);
    assert.deepEqual([withCalls[2], withCalls[16]], ['', 'booked']);
    const other = await createScopedKey(service.database, 'contacts:read', 'calls:read');
    assertError(await service.get(`/v1${path}`, { key: other }), 403, 'FORBIDDEN');
  });

  test('An unknown status or campaign is refused before the download starts', async () => {
    const { id } = await makeActiveCampaign(service, await campaignApi(service), 0);
    assertInvalid(await owner.call('GET', `/campaigns/${id}/enrollments/export?status=done`), 'status');
    assertInvalid(await owner.call('GET', `/campaigns/${id}/enrollments/export?limit=5`), 'limit');
    const unknown = '/campaigns/campaign_01h455vb4pex5vsknk084sn02q/enrollments/export';
    assertError(await owner.call('GET', unknown), 404, 'NOT_FOUND');
  });
});
