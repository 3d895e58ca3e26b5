import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { withIdempotencyKey } from '../kit/http/idempotency.ts';
import { waitForImport } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine, type Reply, readReply } from '../kit/service/test-service.ts';

onEveryEngine('Imports and exports by API key', (service) => {
  let key: string;
  before(async () => {
    const owner = await signedInOwner(service);
    const scopes = ['imports:write', 'contacts:read'];
    ({ key } = await owner.request('POST', '/keys', { name: 'Nightly', scopes }, 201));
  });
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `/v1${path}`, body, { key });
  const upload = (
    path: string,
    raw: string,
    headers: Record<string, string> = { 'content-type': 'text/csv' },
  ) => service.call('POST', `/v1${path}`, undefined, { key, raw, headers });
  /** Sends a form as a browser or `fetch` does. */
  const sendForm = async (path: string, form: FormData): Promise<Reply> =>
    readReply(
      await fetch(`${service.url}/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: form,
      }),
    );
  const formOf = (text: string, name = 'people.csv') => {
    const form = new FormData();
    form.set('file', new File([text], name, { type: 'text/csv' }));
    return form;
  };
  const reach = async (id: string, state: string) =>
    assert.equal((await waitForImport({ call }, id)).state, state);

  test('A file is uploaded, applied, reported and undone with a key', async () => {
    const phones = [newPhone(), newPhone()];
    const text = `Phone,First Name\n${phones[0]},Ada\n${phones[1]},Grace\nnone,Alan\n`;
    const made = await upload('/imports?name=list.csv', text);
    assert.equal(made.status, 201, made.text);
    const { id, totals, state } = made.body.data;
    assert.equal(made.headers.get('location'), `/v1/imports/${id}`);
    assert.deepEqual([state, totals.create, totals.invalid], ['planned', 2, 1]);
    const rows = (await call('GET', `/imports/${id}/rows?verdict=invalid`)).body.data;
    assert.equal(rows.length, 1);
    assert.equal((await call('PATCH', `/imports/${id}`, { on_existing: 'skip' })).status, 200);
    await reach(id, 'planned');
    assert.equal((await call('POST', `/imports/${id}/apply`)).status, 200);
    await reach(id, 'applied');
    const exported = await call('GET', '/contacts/export?format=jsonl');
    for (const phone of phones) assert.ok(exported.text.includes(phone));
    const report = await call('GET', `/imports/${id}/report.csv`);
    assert.match(report.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(report.text, /Grace/);
    assert.equal((await call('POST', `/imports/${id}/undo`)).status, 200);
    await reach(id, 'undone');
    assert.deepEqual((await call('DELETE', `/imports/${id}`)).body.data, { deleted: true });
  });

  test('A form with one file is imported under the name of the file', async () => {
    const made = await sendForm('/imports?country=US', formOf(`Phone\n${newPhone()}\n`, 'Überblick.csv'));
    assert.equal(made.status, 201, made.text);
    assert.deepEqual([made.body.data.name, made.body.data.totals.create], ['Überblick.csv', 1]);
    const long = await sendForm(
      '/imports?name=mine.csv',
      formOf(`Phone\n${newPhone()}\n`, `${'n'.repeat(300)}.csv`),
    );
    assert.equal(long.body.data.name, 'mine.csv');
    const cut = await sendForm('/imports', formOf(`Phone\n${newPhone()}\n`, `${'é'.repeat(300)}.csv`));
    assert.equal(cut.body.data.name, 'é'.repeat(200));
    const columns = await sendForm('/imports/columns', formOf('Phone,Email\n+14155550100,a@b.example\n'));
    assert.equal(columns.status, 200, columns.text);
    assert.equal(columns.body.data.columns.length, 2);
  });

  test('A large form is read in chunks and has the same rows as the file itself', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `bad ${at},${'n'.repeat(8_000)}`).join('\n');
    const made = await sendForm('/imports', formOf(`Phone,Notes\n${lines}\n`));
    assert.equal(made.status, 201, made.text.slice(0, 500));
    assert.equal(made.body.data.totals.invalid, 300);
  });

  test('A form with more than one part stores nothing', async () => {
    const before = (await call('GET', '/imports')).body.pagination.total;
    const two = formOf(`Phone\n${newPhone()}\n`);
    two.append('file', new File(['Phone\n'], 'other.csv'));
    const withField = new FormData();
    withField.set('country', 'US');
    withField.set('file', new File(['Phone\n'], 'other.csv'));
    for (const form of [two, withField, new FormData()])
      assertInvalid(await sendForm('/imports', form), 'file');
    assert.equal((await call('GET', '/imports')).body.pagination.total, before);
  });

  test('An upload with an idempotency key is rejected, and the other steps accept one', async () => {
    const { headers } = withIdempotencyKey('upload');
    const text = `Phone\n${newPhone()}\n`;
    const refused = await upload('/imports', text, { 'content-type': 'text/csv', ...headers });
    assertInvalid(refused, 'Idempotency-Key');
    const { id } = (await upload('/imports', text)).body.data;
    const options = { key, ...withIdempotencyKey('apply') };
    const replies: Json[] = [
      await service.call('POST', `/v1/imports/${id}/apply`, undefined, options),
      await service.call('POST', `/v1/imports/${id}/apply`, undefined, options),
    ];
    assert.deepEqual(
      replies.map(({ status, headers }) => [status, headers.get('idempotent-replayed')]),
      [
        [200, null],
        [200, 'true'],
      ],
    );
    await reach(id, 'applied');
    assertError(await call('POST', `/imports/${id}/apply`), 409, 'CONFLICT');
  });

  test('An export streams the contacts of a filter as CSV and as JSON lines', async () => {
    const csv = await call('GET', '/contacts/export?tag=none');
    assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(csv.text, /phone_number/);
    assertInvalid(await call('GET', '/contacts/export?format=xml'), 'format');
    const jsonl = await call('GET', '/contacts/export?format=jsonl&tag=none');
    assert.deepEqual([jsonl.status, jsonl.text], [200, '']);
  });
});
