import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { BatchError, ConflictError, Roster, type RosterOptions } from '../../sdk/src/index.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Batches, uploads and downloads of the SDK', (service) => {
  let apiKey: string;
  before(async () => {
    apiKey = await createScopedKey(service.database, 'contacts:read', 'contacts:write', 'imports:write');
  });
  const client = (options: Partial<RosterOptions> = {}) =>
    new Roster({ baseUrl: service.url, apiKey, ...options });

  test('A batch above the limit is sent in several requests, with results in order and its progress', async () => {
    const requests: string[] = [];
    const counting: typeof fetch = (input, init) => {
      requests.push(new Headers(init?.headers).get('idempotency-key') ?? '');
      return fetch(input, init);
    };
    const phones = Array.from({ length: 1_200 }, () => newPhone());
    const rows = phones.map((phone_number) => ({ op: 'create' as const, phone_number }));
    rows[1_100] = { op: 'create', phone_number: 'wrong' };
    const progress: number[][] = [];
    const batch = await client({ fetch: counting }).contacts.batch(rows, {
      idempotencyKey: `job-${phones[0]}`,
      onProgress: (...state) => progress.push(state),
    });
    assert.deepEqual([batch.created, batch.failed, batch.results.length], [1_199, 1, 1_200]);
    assert.deepEqual(
      batch.results.map(({ index }) => index),
      rows.map((_, at) => at),
    );
    assert.equal(batch.results[1_100]?.error?.code, 'VALIDATION_ERROR');
    assert.deepEqual(progress, [
      [1_000, 1_200],
      [1_200, 1_200],
    ]);
    assert.deepEqual(requests, [`job-${phones[0]}-1`, `job-${phones[0]}-2`]);
  });

  test('A batch is also split by its size, and an empty one sends nothing', async () => {
    let requests = 0;
    const counting: typeof fetch = (input, init) => {
      requests++;
      return fetch(input, init);
    };
    const { contacts } = client({ fetch: counting });
    assert.deepEqual((await contacts.batch([])).results, []);
    assert.equal(requests, 0);
    const notes = '語'.repeat(2_000);
    const rows = Array.from({ length: 900 }, () => ({
      op: 'create' as const,
      phone_number: newPhone(),
      notes,
    }));
    assert.equal((await contacts.batch(rows)).created, 900);
    assert.equal(requests, 2);
  });

  test('An atomic batch changes everything or nothing, and has to fit into one request', async () => {
    const { contacts } = client();
    const [phone, taken] = [newPhone(), newPhone()];
    await contacts.create({ phone_number: taken });
    const both = [phone, taken].map((phone_number) => ({ op: 'create' as const, phone_number }));
    await assert.rejects(contacts.batch(both, { atomic: true }), ConflictError);
    await assert.rejects(contacts.byPhone(phone), { code: 'NOT_FOUND' });
    const many = Array.from({ length: 1_001 }, () => ({ op: 'delete' as const, id: 'x' }));
    await assert.rejects(contacts.batch(many, { atomic: true }), TypeError);
  });

  test('If a later request of a batch fails, the error has the results of the earlier ones', async () => {
    let requests = 0;
    const failing: typeof fetch = (input, init) => {
      if (++requests > 1) throw new TypeError('No network.');
      return fetch(input, init);
    };
    const rows = Array.from({ length: 1_010 }, () => ({ op: 'create' as const, phone_number: newPhone() }));
    await assert.rejects(client({ fetch: failing, maxRetries: 0 }).contacts.batch(rows), (error) => {
      assert.ok(error instanceof BatchError);
      assert.deepEqual(
        [error.code, error.done.results.length, error.done.created],
        ['CONNECTION_ERROR', 1_000, 1_000],
      );
      return true;
    });
  });

  test('If a later request of a batch is aborted, the error has the results of the earlier ones', async () => {
    const controller = new AbortController();
    const reason = new Error('The user left.');
    const rows = Array.from({ length: 1_010 }, () => ({ op: 'create' as const, phone_number: newPhone() }));
    const aborted = client().contacts.batch(rows, {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    await assert.rejects(aborted, (error) => {
      assert.ok(error instanceof BatchError);
      assert.deepEqual([error.code, error.cause, error.done.created], ['ABORTED', reason, 1_000]);
      return true;
    });
    await assert.rejects(client().contacts.batch(rows, { signal: controller.signal }), reason);
  });

  test('An upsert says whether it created the contact, and can refuse to update', async () => {
    const { contacts } = client();
    const phone = newPhone();
    const made = await contacts.upsert(phone, { first_name: 'Ada' }).withResponse();
    assert.deepEqual([made.status, made.created], [201, true]);
    const updated = await contacts.upsert(phone, { last_name: 'Lovelace' }).withResponse();
    assert.equal(updated.created, false);
    assert.equal((await contacts.byPhone(phone)).first_name, 'Ada');
    await assert.rejects(contacts.upsert(phone, {}, { onlyCreate: true }), { code: 'PRECONDITION_FAILED' });
  });

  test('A file is imported as text, bytes, blob or stream, and its report is downloaded', async () => {
    const { imports } = client();
    const csvOf = () => `phone,first name\n${newPhone()},Ada\n`;
    const bytes = () => new TextEncoder().encode(csvOf());
    for (const file of [csvOf(), bytes(), new Blob([csvOf()]), new Blob([csvOf()]).stream()]) {
      const { id, totals } = await imports.create(file, {
        name: 'one.csv',
        mapping: { 0: 'phone_number', 1: 'first_name' },
      });
      assert.equal(totals.create, 1);
      await imports.apply(id);
      assert.equal((await imports.wait(id, { intervalMs: 50 })).totals.created, 1);
      assert.match(await (await imports.report(id)).text(), /created/);
    }
    const columns = await imports.previewColumns(csvOf());
    assert.equal(columns.columns.length, 2);
  });

  test('An export is read by lines, as a whole or as a stream, and can be left early', async () => {
    const { contacts } = client();
    const { pagination } = await contacts.list().page();
    const lines: string[] = [];
    for await (const line of (await contacts.export({ format: 'jsonl' })).lines()) lines.push(line);
    assert.equal(lines.length, pagination.total);
    assert.ok(lines.every((line) => JSON.parse(line).phone_number));
    const csv = await (await contacts.export({ format: 'csv' })).text();
    const { stream } = await contacts.export({ format: 'csv' });
    assert.equal(await new Response(stream).text(), csv);
    for await (const line of (await contacts.export()).lines()) {
      assert.ok(line);
      break;
    }
    const controller = new AbortController();
    const download = await contacts.export({ format: 'jsonl' }, { signal: controller.signal });
    const reason = new Error('Enough.');
    controller.abort(reason);
    await assert.rejects(download.text(), reason);
  });
});
