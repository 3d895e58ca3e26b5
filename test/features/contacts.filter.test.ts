import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Contact list of the dashboard', (service) => {
  let owner: CheckedUser;
  const ids: Record<string, string> = {};
  before(async () => {
    owner = await signedInOwner(service);
    const contacts: Record<string, Json> = {
      zoe: { first_name: 'Zoë', last_name: 'Liskov', company: 'Acme', tags: ['vip'] },
      liz: { first_name: 'Liz', last_name: 'Zoeller', company: 'Acme' },
      typed: { first_name: 'Ann', last_name: "O'Brien", company: 'acme' },
      curly: { first_name: 'Bob', last_name: 'O’Brien', email: 'bob@example.com' },
      german: { phone_number: '+4915123456705', first_name: '100%', last_name: 'a_b' },
      english: { phone_number: '+442079460018' },
    };
    for (const [name, fields] of Object.entries(contacts))
      ids[name] = (await makeContact(service, fields)).id;
  });
  const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id) as string;
  const find = async (query: Record<string, string>): Promise<string[]> => {
    const { body } = await owner.call('GET', `/contacts?${new URLSearchParams(query)}`);
    assert.equal(body.pagination.total, body.data.length);
    return body.data.map(({ id }: Json) => nameOf(id)).reverse();
  };

  test('The search of contacts matches words in any order and requires all of them', async () => {
    for (const search of ['zoe liskov', 'liskov zoe', 'LISKOV  Zoë', ' lis zo', 'zo li', 'zoe l']) {
      assert.deepEqual((await find({ search })).includes('zoe'), true, search);
    }
    assert.deepEqual(await find({ search: 'liskov zoe' }), ['zoe']);
    assert.deepEqual(await find({ search: 'zo li' }), ['zoe', 'liz']);
    assert.deepEqual(await find({ search: 'liskov ada' }), []);
    assert.deepEqual(await find({ search: 'bob example.com' }), ['curly']);
    assert.deepEqual(await find({ search: 'a_b 100%' }), ['german']);
    assert.deepEqual(await find({ search: 'a%b 100' }), []);
    assert.deepEqual(await find({ search: '100% 23456705' }), ['german']);
  });

  test('The search of contacts treats every kind of apostrophe as equal', async () => {
    for (const search of ["o'brien", 'O’Brien', 'oʼbrien', 'brien o`']) {
      assert.deepEqual(await find({ search }), ['typed', 'curly'], search);
    }
    assert.deepEqual(await find({ search: "bob o'brien" }), ['curly']);
  });

  test('A number in national format finds its contact, whatever the country of the workspace', async () => {
    assert.deepEqual(await find({ search: '0151 23456705' }), ['german']);
    assert.deepEqual(await find({ search: '(020) 7946-0018' }), ['english']);
    assert.deepEqual(await find({ search: '0044 20 7946 0018' }), ['english']);
    assert.deepEqual(await find({ search: '+49151' }), ['german']);
  });

  test('The company filter matches exactly and combines with the other filters', async () => {
    assert.deepEqual(await find({ company: 'Acme' }), ['zoe', 'liz']);
    assert.deepEqual(await find({ company: 'Acme', tag: 'vip' }), ['zoe']);
    assert.deepEqual(await find({ company: 'Acme', search: 'liz' }), ['liz']);
    assert.deepEqual(await find({ company: 'Acme', search: 'zoe liskov', tag: 'vip' }), ['zoe']);
    assert.deepEqual(await find({ company: 'Acm' }), []);
    const page = (await owner.call('GET', '/contacts?company=Acme&limit=1&offset=1')).body;
    assert.deepEqual([page.data[0].id, page.pagination.total], [ids.zoe, 2]);
  });

  test('A filtered list can be exported and enrolled', async () => {
    const rows = async (query: Record<string, string>) => {
      const { text } = await owner.call(
        'GET',
        `/contacts/export?${new URLSearchParams({ format: 'jsonl', ...query })}`,
      );
      return text
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).id)
        .map(nameOf);
    };
    assert.deepEqual(await rows({ search: 'liskov zoe' }), ['zoe']);
    assert.deepEqual(await rows({ search: "o'brien" }), ['typed', 'curly']);
    assert.deepEqual(await rows({ company: 'Acme' }), ['zoe', 'liz']);
    assert.deepEqual(await rows({ search: 'zo li', tag: 'vip' }), ['zoe']);
  });

  test('The search of the API stays as specified', async () => {
    const search = async (text: string) =>
      (await service.get(`/v1/contacts?search=${encodeURIComponent(text)}`)).body.pagination.total;
    assert.equal(await search('zoe liskov'), 1);
    assert.equal(await search('liskov zoe'), 0);
    assert.equal(await search("o'brien"), 1);
    assert.equal((await service.get('/v1/contacts?company=Acme')).status, 400);
  });
});
