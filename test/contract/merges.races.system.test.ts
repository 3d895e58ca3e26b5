import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openSnapshot } from '../../src/db/open/snapshot.ts';
import { verify } from '../../src/features/verify/verify.ts';
import { campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { type MergeApi, mergeApi } from '../kit/fixtures/merges.ts';
import { type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';

const ROUNDS = 15;

onEveryEngine('Concurrent merges and changes of the same contacts', (service) => {
  let api: MergeApi;
  before(async () => {
    api = await mergeApi(service);
  });

  const planned = async (survivor_id: string, ...other_ids: string[]) => {
    const { plan_token } = await api.plan(survivor_id, other_ids);
    return () => api.call('POST', '/merges', { survivor_id, other_ids, plan_token });
  };
  const assertVerified = async () => {
    const snapshot = await openSnapshot(service.database.database);
    try {
      // The fixture deploys without a record of it.
      for await (const { name, count, examples } of verify(snapshot, { onStart: () => {} }))
        if (!name.includes('last deploy')) assert.equal(count, 0, `${name}: ${examples.join(', ')}`);
    } finally {
      await snapshot.close();
    }
  };
  const refusals = (replies: readonly Reply[]) =>
    assert.ok(
      replies.every(({ status }) => [200, 201, 404, 409].includes(status)),
      replies.map(({ text }) => text).join('\n'),
    );

  test('Of two merges with a common contact, one wins', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b, c] = [await makeContact(service), await makeContact(service), await makeContact(service)];
      const merges = [await planned(a.id, b.id), await planned(b.id, c.id), await planned(c.id, a.id)];
      const replies = await Promise.all(merges.map((merge) => merge()));
      refusals(replies);
      assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    }
    await assertVerified();
  });

  test('A merge and a change, a delete or an undo of its contacts have one order', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b, c] = [await makeContact(service), await makeContact(service), await makeContact(service)];
      const first = await api.merge(b.id, [c.id]);
      const merge = await planned(a.id, b.id);
      const phone = newPhone();
      const others: (() => Promise<Reply>)[] = [
        () => service.patch(`/v1/contacts/${b.id}`, { phone_number: phone }),
        () => service.delete(`/v1/contacts/${[a, b][round % 2]?.id}`),
        () => api.undo(first.id),
        () => service.post('/v1/contacts', { phone_number: c.phone_number }),
      ];
      const replies = await Promise.all([merge(), ...others.map((other) => other())]);
      refusals(replies);
    }
    await assertVerified();
  });

  test('A claim of a contact that is merged at the same time can be reported or is refused', async () => {
    const campaigns = await campaignApi(service);
    for (let round = 0; round < ROUNDS; round++) {
      const { id, contacts } = await makeActiveCampaign(service, campaigns, 2);
      const [survivor = '', other = ''] = contacts;
      const merge = await planned(survivor, other);
      const [merged, claimed] = await Promise.all([merge(), campaigns.claim(id, { limit: 2 })]);
      refusals([merged, claimed]);
      const reports = await Promise.all(
        claimed.body.data.claims.map(({ claim_id, contact }: Json) =>
          campaigns.report(id, contact.id, { status: 'completed', claim_id }),
        ),
      );
      assert.ok(
        reports.every(({ status }: Reply) => status === 200 || status === 409),
        reports.map(({ text }: Reply) => text).join('\n'),
      );
    }
    await assertVerified();
  });
});
