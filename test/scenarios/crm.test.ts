import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

/** A CRM with a copy of the contacts. Webhooks can arrive twice and in any order, so it ignores an event that is not newer than the
 *  last one of its contact. */
class Crm {
  readonly contacts = new Map<string, Json>();
  readonly #last = new Map<string, string>();

  apply({ id, type, subject_id, data }: Json): void {
    if (id <= (this.#last.get(subject_id) ?? '')) return;
    this.#last.set(subject_id, id);
    if (type === 'contact.deleted') this.contacts.delete(subject_id);
    else if (data !== null) this.contacts.set(subject_id, data);
  }
}

onEveryEngine('Scenario of a CRM', (service) => {
  test('A CRM stays in step by webhooks, and after an outage by the feed', async () => {
    const crm = new Crm();
    let secret = '';
    let isDown = false;
    const receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      if (isDown) return void response.writeHead(503).end();
      crm.apply(new Webhook(secret).verify(Buffer.concat(chunks), request.headers as never) as Json);
      response.end();
    });
    after(() => receiver.closeAllConnections());
    after(() => receiver.close());
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    const { port } = receiver.address() as AddressInfo;

    const key = await createScopedKey(service.database, 'admin', 'events:read');
    const types = ['contact.created', 'contact.updated', 'contact.deleted'];
    const made = await service.post('/v1/webhooks', { url: `http://127.0.0.1:${port}/crm`, types }, { key });
    assert.equal(made.status, 201, made.text);
    secret = made.body.data.secret;

    const change = async () => {
      const people = await Promise.all(
        Array.from({ length: 12 }, (_, at) => makeContact(service, { first_name: `Person ${at}` })),
      );
      await Promise.all(
        people.map(({ id }, at) =>
          at % 3 === 0
            ? service.delete(`/v1/contacts/${id}`)
            : service.patch(`/v1/contacts/${id}`, { company: `Company ${at}`, tags: ['customer'] }),
        ),
      );
      const operations = Array.from({ length: 5 }, () => ({ op: 'create', phone_number: newPhone() }));
      assert.equal((await service.post('/v1/contacts/batch', { operations })).status, 200);
    };
    const stored = async (): Promise<Map<string, Json>> => {
      const { data } = (await service.get('/v1/contacts?limit=100')).body;
      const full = await Promise.all(
        data.map(async ({ id }: Json) => (await service.get(`/v1/contacts/${id}`)).body.data),
      );
      return new Map(full.map((contact) => [contact.id, contact]));
    };
    const sorted = (contacts: Map<string, Json>) => [...contacts].toSorted();
    const assertInStep = async () => {
      const expected = sorted(await stored());
      for (let waited = 0; waited < 20_000; waited += 100) {
        if (JSON.stringify(sorted(crm.contacts)) === JSON.stringify(expected)) return;
        await pause(100);
      }
      assert.deepEqual(sorted(crm.contacts), expected);
    };

    await change();
    await assertInStep();
    const { after: last } = (await service.get('/v1/events?after=latest', { key })).body.data;

    isDown = true;
    await change();
    await change();
    assert.notDeepEqual(sorted(crm.contacts), sorted(await stored()));

    for (let position = last; ; ) {
      const { data } = (await service.get(`/v1/events?after=${position}&types=${types}`, { key })).body;
      for (const event of data.events) crm.apply(event);
      position = data.after;
      if (!data.has_more) break;
    }
    assert.deepEqual(sorted(crm.contacts), sorted(await stored()), 'read from the feed while webhooks fail');

    isDown = false;
    await change();
    await assertInStep();
    const replayed = await service.post(
      `/v1/webhooks/${made.body.data.id}/replay`,
      { since: '2026-01-01T00:00:00Z' },
      { key },
    );
    assert.equal(replayed.status, 200, replayed.text);
    await pause(500);
    await assertInStep();
  });
});
