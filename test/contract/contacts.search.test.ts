import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { countContacts, listContactIds, listContacts } from '../kit/fixtures/contacts.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Contact search', (service) => {
  let ada: Json;
  // Numbers of their own: a new one could have the digits that a test searches for.
  before(async () => {
    ada = await makeContact(service, {
      phone_number: '+19075550142',
      first_name: 'Adalbert',
      last_name: 'Quillfeather',
      display_name: 'Bertie Morrow',
      email: 'penfold.77@mailbox.example',
      company: 'Harbinger Works',
      notes: 'Likes Xylophones.',
      tags: ['Zeppelin'],
    });
    await makeContact(service, { phone_number: '+13025550190', first_name: 'Someone', last_name: 'Else' });
    await makeContact(service, { phone_number: '+13025550191' });
  });
  const finds = async (search: string, expected: Json[] = [ada]) =>
    assert.deepEqual(
      await listContactIds(service, { search }),
      expected.map(({ id }) => id),
      JSON.stringify(search),
    );
  const findsNothing = (search: string) => finds(search, []);

  test('A search matches part of a first name, last name, full name or email', async () => {
    for (const whole of [
      'Adalbert',
      'Quillfeather',
      'Bertie Morrow',
      'penfold.77@mailbox.example',
      'Adalbert Quillfeather',
    ]) {
      await finds(whole);
      for (const size of [4, 7]) {
        for (let at = 0; at + size <= whole.length; at++) await finds(whole.slice(at, at + size));
      }
    }
  });

  test('A search is case-insensitive', async () => {
    for (const search of ['adalbert', 'ADALBERT', 'aDALbert quillFEATHER', 'PENFOLD.77@Mailbox']) {
      await finds(search);
    }
  });

  test('A search does not match company, notes, tags or other fields', async () => {
    for (const search of [
      'Harbinger',
      'Xylophones',
      'Zeppelin',
      ada.id,
      'contact_',
      '"api"',
      'null',
      '202',
    ]) {
      await findsNothing(search);
    }
  });

  test('A search does not match across two fields', async () => {
    for (const search of [
      'QuillfeatherBertie',
      'Quillfeather Bertie',
      'Quillfeather\u001fBertie',
      'Quillfeather\nBertie',
      'Quillfeather Adalbert',
      'AdalbertQuillfeather',
      'Adalbert  Quillfeather',
      'Morrowpenfold',
      'Morrow penfold',
      'Morrow\u001fpenfold',
      '0142Adalbert',
      '0142 Adalbert',
      '0142\u001fadalbert',
      'mailbox.example+1907',
      'rB',
      'r\u001fb',
    ]) {
      await findsNothing(search);
    }
  });

  test('A search matches its text only as one contiguous string', async () => {
    await findsNothing('Adal feather');
    await findsNothing('Adalbertx');
    await findsNothing('Adalbert Quillfeather Morrow');
    await findsNothing('q'.repeat(3000));
  });

  test('A search finds contacts with only a first name or only a last name', async () => {
    const last = await makeContact(service, { phone_number: '+13025550193', last_name: 'Vandermeer' });
    const first = await makeContact(service, { phone_number: '+13025550195', first_name: 'Wilhelmina' });
    const display = await makeContact(service, { phone_number: '+13025550196', display_name: 'Ottoline' });
    await finds('vandermeer', [last]);
    await finds('wilhelmina', [first]);
    await finds('ottoline', [display]);
    await findsNothing(' vandermeer');
    await findsNothing('wilhelmina ');
    await findsNothing('null');
  });

  test('A search finds a phone number with and without separators', async () => {
    for (const search of [
      '+19075550142',
      '19075550142',
      '9075550142',
      '5550142',
      '+1907',
      '+1 907 555 0142',
      '+1 (907) 555-0142',
      '(907) 555-0142',
      '907.555.0142',
      '907-555-0142',
      '907\u00a0555\u20110142',
      ' 9075550142 ',
      '1-907',
      '907) 5',
    ]) {
      await finds(search);
    }
    for (const search of ['9075550143', '907555014x', '907x555', '( )', '-']) await findsNothing(search);
  });

  test('A plus in a search matches the start of a phone number, not a separator', async () => {
    for (const search of ['+1', '+19', '+1 9', '+1-907']) {
      assert.ok((await listContactIds(service, { search })).includes(ada.id), search);
    }
    for (const search of ['+907555', '+5550142', '555+0142', '+42', '1+907']) await findsNothing(search);
  });

  test('A search finds a phone number whose unencoded plus became a space', async () => {
    for (const query of ['+1907555', '+1+907+555-0142', '%2B1907555', '1907555']) {
      const { body } = await service.get(`/v1/contacts?search=${query}`);
      assert.deepEqual(
        body.data.map(({ id }: Json) => id),
        [ada.id],
        query,
      );
    }
  });

  test('A search of one or two characters finds contacts', async () => {
    const owl = await makeContact(service, {
      phone_number: '+13025550198',
      first_name: '🦉',
      last_name: '小龙',
      email: 'ж@example.com',
    });
    for (const search of ['🦉', '小', '龙', '小龙', 'ж', 'Ж', '🦉 ', ' 小', '🦉 小', '🦉 小龙', 'ж@']) {
      await finds(search, [owl]);
    }
    for (const search of ['🦊', '龙小', '🦉小', 'жж', '\ud83e\udd8a\ud83e\udd89']) await findsNothing(search);
    await finds('77');
    await finds('7@');
    await finds('42');
    await finds('1-4', [ada]);
  });

  test('Search results are newest first and paginated', async () => {
    const made: string[] = [];
    for (let at = 0; at < 5; at++) {
      made.unshift((await makeContact(service, { display_name: `Page ${at} of Jxqz` })).id);
      await makeContact(service, { display_name: 'Between' });
    }
    for (const search of ['jxqz', 'jx']) {
      for (const [offset, ids, has_more] of [
        [0, made.slice(0, 2), true],
        [2, made.slice(2, 4), true],
        [3, made.slice(3), false],
        [4, made.slice(4), false],
        [5, [], false],
        [5000, [], false],
      ] as const) {
        const { data, pagination } = await listContacts(service, { search, limit: 2, offset });
        assert.deepEqual(
          data.map(({ id }) => id),
          ids,
        );
        assert.deepEqual(pagination, { total: 5, limit: 2, offset, has_more });
      }
    }
  });

  test('A search reflects updates', async () => {
    const made = await makeContact(service, {
      phone_number: '+19085550111',
      first_name: 'Beforehand',
      email: 'earlier@example.com',
    });
    await service.patch(`/v1/contacts/${made.id}`, {
      phone_number: '+19095550122',
      first_name: 'Afterwards',
      email: null,
    });
    for (const search of ['beforehand', 'earlier@', '19085550111']) await findsNothing(search);
    for (const search of ['afterwards', '19095550122']) await finds(search, [made]);
    await service.patch(`/v1/contacts/${made.id}`, { last_name: 'Too', notes: 'x' });
    await finds('afterwards too', [made]);
    await service.patch(`/v1/contacts/${made.id}`, { first_name: null });
    await findsNothing('afterwards');
    assert.equal(await countContacts(service, { search: '19095550122' }), 1);
  });
});
