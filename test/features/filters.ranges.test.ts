import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { newPhone } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

/** More than an index range may have to find the contacts of a filter. */
const MANY = 2_001;
const BATCH = 1_000;

onEveryEngine('Index ranges of filters', (service) => {
  before(async () => {
    await makeField(service, 'plan', 'text', { filterable: true });
    const contacts = (count: number, tags: string[]) =>
      Array.from({ length: count }, () => ({
        op: 'create',
        phone_number: newPhone(),
        tags,
        fields: { plan: 'gold' },
      }));
    const operations = [
      ...contacts(MANY, ['many', 'most']),
      ...contacts(2, ['few', 'many']),
      ...contacts(3, ['few']),
      ...contacts(1, ['fewer', 'most']),
      ...contacts(4, ['fewer']),
    ];
    for (let from = 0; from < operations.length; from += BATCH) {
      const part = operations.slice(from, from + BATCH);
      const { status, body } = await service.post('/v1/contacts/batch', { operations: part });
      assert.equal(status, 200);
      assert.equal(body.data.failed, 0);
    }
  });
  const countOf = async (...tags: string[]) => {
    const values = tags.map((value) => ({ attribute: 'tag', op: 'eq', value }));
    const filter = { all: [{ attribute: 'fields.plan', op: 'eq', value: 'gold' }, ...values] };
    const { body } = await service.get(`/v1/contacts?filter=${encodeURIComponent(JSON.stringify(filter))}`);
    assert.equal(body.pagination.total, body.data.length);
    return body.data.length;
  };

  test('All conditions are checked, whichever of them finds the contacts', async () => {
    assert.equal(await countOf('many', 'few'), 2);
    assert.equal(await countOf('fewer', 'most'), 1);
    assert.equal(await countOf('most', 'fewer'), 1);
    assert.equal(await countOf('few', 'many'), 2);
  });
});
