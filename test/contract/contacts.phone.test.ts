import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertFieldsRejected, assertRejected, countContacts, getContact } from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { onEveryEngine, type Reply } from '../kit/service/test-service.ts';

/** Rejected numbers; none would be valid without its separators. */
const wrong = {
  'a national number': '(907) 555-0100',
  'a national number in digits': '9075550100',
  'digits without the plus': '19075550100',
  'the prefix 00': '0019075550100',
  'an empty text': '',
  'a plus alone': '+',
  'two pluses': '++19075550100',
  'a plus at the end': '19075550100+',
  'six digits': '+190755',
  'sixteen digits': '+1907555010000000',
  'a country code that begins with 0': '+09075550100',
  'the unassigned code 210': '+2105550100000',
  'the unassigned code 999': '+9995550100000',
  'a letter': '+1907555010O',
  'an extension': '+19075550100x12',
  'digits of another script': '+1907555010٠',
  'full-width digits': '+１9075550100',
  'a full-width plus': '＋19075550100',
  'a scheme': 'tel:+19075550100',
};

/** Rejected numbers whose error contains the number to send. */
const separated = {
  spaces: '+1 907 555 0100',
  'a leading space': ' +19075550100',
  'a trailing newline': '+19075550100\n',
  'a space that does not break': '+1\u00a0907\u00a05550100',
  dots: '+1.907.555.0100',
  dashes: '+1-907-555-0100',
  'long dashes': '+1–907—555‑0100',
  'round brackets': '+1 (907) 555-0100',
  'square brackets': '+1 [907] 555 0100',
  'a bracketed country code': '(+1) 907 555 0100',
};

onEveryEngine('Phone numbers of contacts', (service) => {
  let contactId: string;
  before(async () => {
    contactId = (await makeContact(service, { first_name: 'Ada' })).id;
  });
  const writes: Record<string, (phone_number: unknown) => Promise<Reply>> = {
    create: (phone_number) => service.post('/v1/contacts', { phone_number, first_name: 'Eve' }),
    update: (phone_number) => service.patch(`/v1/contacts/${contactId}`, { phone_number, first_name: 'Eve' }),
  };

  for (const [kind, write] of Object.entries(writes)) {
    for (const [what, phone] of Object.entries(wrong)) {
      test(`A contact ${kind} rejects ${what}`, async () => {
        await assertFieldsRejected(service, ['phone_number'], () => write(phone));
      });
    }

    for (const [what, phone] of Object.entries(separated)) {
      test(`A contact ${kind} rejects ${what} and suggests the number to send`, async () => {
        const message = await assertFieldsRejected(service, ['phone_number'], () => write(phone));
        assert.match(message, /Send \+19075550100\./);
      });
    }

    test(`A contact ${kind} rejects a phone number that is not text or cannot be stored`, async () => {
      const notTexts = [
        null,
        19_075_550_100,
        true,
        {},
        ['+19075550100'],
        '+19075550100\0',
        '+19075550100\ud83d',
      ];
      for (const value of notTexts) await assertFieldsRejected(service, ['phone_number'], () => write(value));
    });
  }

  test('A national number is rejected with the expected format, not with a guess', async () => {
    const message = await assertFieldsRejected(service, ['phone_number'], () =>
      service.post('/v1/contacts', { phone_number: '907 555 0100' }),
    );
    assert.match(message, /starts with \+ and the country code/);
    assert.doesNotMatch(message, /9075550100/);
  });

  test('A phone number has 7 to 15 digits', async () => {
    for (const phone_number of ['+1907555', '+190755501000000']) {
      const created = await makeContact(service, { phone_number });
      assert.equal(created.phone_number, phone_number);
      assert.equal((await getContact(service, created.id)).phone_number, phone_number);
    }
    const { id } = await makeContact(service);
    for (const phone_number of ['+1907556', '+190755601000000']) {
      const reply = await service.patch(`/v1/contacts/${id}`, { phone_number });
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.body.data.phone_number, phone_number);
    }
  });

  test('Calling codes of one to three digits are accepted, for countries and for services', async () => {
    for (const code of ['1', '7', '44', '353', '599', '800', '881', '979', '998']) {
      await makeContact(service, { phone_number: `+${code}000000000` });
    }
  });

  test('Changing a number stores the new one and frees the old one', async () => {
    const [first, second] = [newPhone(), newPhone()];
    const { id } = await makeContact(service, { phone_number: first });
    const reply = await service.patch(`/v1/contacts/${id}`, { phone_number: second });
    assert.equal(reply.status, 200);
    assert.equal(reply.body.data.phone_number, second);
    assert.equal((await getContact(service, id)).phone_number, second);
    const error = await assertRejected(service, 409, 'CONFLICT', () =>
      service.post('/v1/contacts', { phone_number: second }),
    );
    assert.deepEqual(error.details, { existing_contact_id: id });
    await makeContact(service, { phone_number: first });
  });

  test('An update to the number of another contact is rejected completely', async () => {
    const existing = await makeContact(service);
    const { id } = await makeContact(service, { first_name: 'Ada', tags: ['calm'] });
    for (const extra of [{}, { confirm_phone_change: true }]) {
      const error = await assertRejected(service, 409, 'CONFLICT', () =>
        service.patch(`/v1/contacts/${id}`, {
          phone_number: existing.phone_number,
          first_name: 'Eve',
          tags: ['changed'],
          ...extra,
        }),
      );
      assert.deepEqual(error.details, { existing_contact_id: existing.id });
    }
    assert.equal(await countContacts(service, { tag: 'calm' }), 1);
    assert.equal(await countContacts(service, { tag: 'changed' }), 0);
  });

  test('Sending back the stored number changes nothing', async () => {
    const made = await makeContact(service);
    const reply = await service.patch(`/v1/contacts/${made.id}`, {
      phone_number: made.phone_number,
      first_name: 'Ada',
    });
    assert.equal(reply.status, 200);
    assert.equal(reply.body.data.phone_number, made.phone_number);
    assert.equal(reply.body.data.first_name, 'Ada');
  });

  test('Of many concurrent updates to a number one wins, and the others name its contact', async () => {
    const phone_number = newPhone();
    const made = await Promise.all(Array.from({ length: 8 }, () => makeContact(service)));
    const replies = await Promise.all(
      made.map(({ id }) => service.patch(`/v1/contacts/${id}`, { phone_number })),
    );
    const winners = replies.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1);
    for (const { status, body } of replies.filter((reply) => reply !== winners[0])) {
      assert.equal(status, 409);
      assert.deepEqual(body.error.details, { existing_contact_id: winners[0]?.body.data.id });
    }
    assert.equal(await countContacts(service, { search: phone_number }), 1);
  });
});
