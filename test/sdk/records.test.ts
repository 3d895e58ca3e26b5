import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConflictError,
  NotFoundError,
  PreconditionFailedError,
  Roster,
  type RosterOptions,
  UnauthorizedError,
  ValidationError,
} from '../../sdk/src/index.ts';
import { KEY, onEveryEngine } from '../kit/service/test-service.ts';

const missing = 'contact_01h455vb4pex5vsknk084sn02q';

onEveryEngine('The SDK with contacts and agents', (service) => {
  const client = (options: Partial<RosterOptions> = {}) =>
    new Roster({ baseUrl: service.url, apiKey: KEY, ...options });

  test('A contact is created, read, changed with its ETag and deleted', async () => {
    const { contacts } = client();
    const created = await contacts
      .create({ phone_number: '+14155550100', first_name: 'Ada', tags: ['new'] })
      .withResponse();
    assert.deepEqual([created.status, created.created], [201, true]);
    assert.match(created.requestId ?? '', /^req_/);
    const { id } = created.data;
    const { data, etag } = await contacts.get(id).withResponse();
    assert.deepEqual([data.first_name, data.tags, data.crm_ids], ['Ada', ['new'], {}]);
    assert.ok(etag);
    assert.equal(created.etag, etag);
    assert.equal(await contacts.getIfChanged(id, etag), undefined);
    const changed = await contacts.update(id, { company: 'Engines' }, { ifMatch: etag });
    assert.equal(changed.company, 'Engines');
    await assert.rejects(
      contacts.update(id, { company: 'Late' }, { ifMatch: etag }),
      PreconditionFailedError,
    );
    assert.equal((await contacts.getIfChanged(id, etag))?.data.company, 'Engines');
    await assert.rejects(contacts.delete(id, { ifMatch: etag }), PreconditionFailedError);
    assert.deepEqual(await contacts.delete(id), { deleted: true });
    await assert.rejects(contacts.delete(id), NotFoundError);
  });

  test('An agent is created, drafted, listed and deleted', async () => {
    const { agents } = client();
    const { id } = await agents.create({ name: 'Reception', instructions: 'Greet.' });
    await agents.update(id, { instructions: 'Greet warmly.' });
    const { data, etag } = await agents.get(id).withResponse();
    assert.deepEqual(
      data.versions.map(({ version_label }) => version_label),
      ['v2', 'v1'],
    );
    assert.equal(await agents.getIfChanged(id, etag ?? ''), undefined);
    assert.deepEqual(
      (await agents.list().all()).map((agent) => agent.id),
      [id],
    );
    await agents.delete(id);
    assert.deepEqual((await agents.list().page()).data, []);
  });

  test('Errors say what is wrong in types', async () => {
    const { contacts } = client();
    const { id } = await contacts.create({ phone_number: '+14155550101' });
    await assert.rejects(contacts.create({ phone_number: '+14155550101' }), (error) => {
      assert.ok(error instanceof ConflictError);
      assert.equal(error.existingContactId, id);
      assert.match(error.requestId ?? '', /^req_/);
      return true;
    });
    await assert.rejects(contacts.create({ phone_number: '555', email: 'x' }), (error) => {
      assert.ok(error instanceof ValidationError);
      assert.deepEqual(error.fields.map(({ field }) => field).sort(), ['email', 'phone_number']);
      return true;
    });
    await assert.rejects(contacts.get(missing), (error) => {
      assert.ok(error instanceof NotFoundError && error.name === 'NotFoundError');
      assert.deepEqual([error.status, error.code], [404, 'NOT_FOUND']);
      return true;
    });
    await assert.rejects(client({ apiKey: 'rk_wrong' }).contacts.get(id), UnauthorizedError);
  });

  test('A create whose response is lost is executed once', async () => {
    let lost = 0;
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (lost++ > 0) return response;
      await response.text();
      throw new TypeError('The connection was lost after the request was executed.');
    };
    const before = (await client().agents.list().page()).pagination.total;
    const made = await client({ fetch: losing })
      .agents.create({ name: 'Once', instructions: '' })
      .withResponse();
    assert.equal(made.headers.get('idempotent-replayed'), 'true');
    assert.equal((await client().agents.list().page()).pagination.total, before + 1);
  });

  test('A list is walked page by page, record by record, or collected', async () => {
    const { contacts } = client();
    const numbers = Array.from({ length: 25 }, (_, at) => `+141555502${String(at).padStart(2, '0')}`);
    for (const phone_number of numbers) await contacts.create({ phone_number, tags: ['walk'] });
    const newestFirst = [...numbers].reverse();
    const seen: string[] = [];
    for await (const contact of contacts.list({ tag: 'walk', limit: 10 })) seen.push(contact.phone_number);
    assert.deepEqual(seen, newestFirst);
    const sizes: number[] = [];
    for await (const page of contacts.list({ tag: 'walk', limit: 10 }).pages()) sizes.push(page.data.length);
    assert.deepEqual(sizes, [10, 10, 5]);
    const first = await contacts.list({ tag: 'walk', limit: 10 }).page();
    assert.deepEqual([first.data.length, first.pagination.total, first.pagination.has_more], [10, 25, true]);
    const some = await contacts.list({ tag: 'walk', limit: 10 }).all({ max: 12 });
    assert.deepEqual(
      some.map((contact) => contact.phone_number),
      newestFirst.slice(0, 12),
    );
    assert.equal((await contacts.list({ tag: 'walk' }).all()).length, 25);
    assert.deepEqual(await contacts.list({ tag: 'nothing' }).all(), []);
    assert.deepEqual(await contacts.list({ tag: 'walk' }).all({ max: 0 }), []);
  });

  test('An endpoint without a method can be called', async () => {
    const roster = client();
    const agent = await roster.request<{ id: string }>('POST', '/agents', {
      body: { name: 'Direct', instructions: '' },
    });
    assert.ok(agent.id);
    await roster.request('DELETE', `/agents/${agent.id}`);
  });
});
