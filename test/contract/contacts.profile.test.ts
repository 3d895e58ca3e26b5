import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertFieldsRejected, getContact, listContacts } from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';

const limits = { first_name: 100, last_name: 100, display_name: 200, company: 200, notes: 2000 };

/** Single characters that take one, two and three more UTF-16 units or bytes. */
const characters = ['a', 'ß', '語', '😀'];

/** Returned as they were sent. */
const exact = {
  spaces: '  two before, three after   ',
  'nothing but a space': ' ',
  quotes: `"double" 'single' \`back\` \\backslash\\`,
  'line ends': 'one\ntwo\r\nthree\rfour\tfive',
  'control characters': '\u0001\u001b\u001f\u007f\u0080',
  emoji: '👩🏽‍🚀🏳️‍🌈🇺🇳',
  'right-to-left text': 'مرحبا بالعالم שלום \u202etfel\u202c',
  'composed accents': 'Am\u00e9lie',
  'combined accents': 'Ame\u0301lie',
  'stacked marks': 'Z\u0351\u036b\u0343a\u0328\u030c\u0348lgo',
  'ligatures and widths': 'ﬁ Ａ ½ Å',
  'separators of lines': '\u2028\u2029\u0085\ufeff',
  noncharacters: '\uffff\u{10ffff}',
  'what looks like SQL': `'); drop table contacts; --`,
  'what looks like markup': '<b onclick="x()">&amp;</b>',
  'what looks like JSON': '{"a":[null,"\\u0000"]}',
};

const addresses = [
  'ada@example.com',
  'ADA.Lovelace@Example.COM',
  'ada+tag@mail.example.co.uk',
  "o'brien@example.com",
  'a@b.co',
  '!#$%&*/=?^_`{|}~-@example.com',
  '1@2.example',
  'ada@my-host.example',
  'ada@xn--bcher-kva.example',
  'ada@example.xn--p1ai',
  'jörg@bücher.example',
  '用户@例子.广告',
];

const invalidEmails = [
  '',
  ' ',
  'ada',
  'ada@',
  '@example.com',
  'ada.example.com',
  'ada@@example.com',
  'ada@exa@mple.com',
  'ada lovelace@example.com',
  'ada@exam ple.com',
  ' ada@example.com',
  'ada@example.com ',
  'ada@example.com\n',
  'Ada <ada@example.com>',
  'mailto:ada@example.com',
  'ada@example.com,eve@example.com',
  '.ada@example.com',
  'ada.@example.com',
  'a..da@example.com',
  'ada@.example.com',
  'ada@example.com.',
  'ada@example..com',
  'ada@-example.com',
  'ada@example-.com',
  'ad\u0007a@example.com',
  'ada@exa\u001fmple.com',
  'ada@exam\u007fple.com',
];

/** An email of this length, with parts of the maximum length. */
const address = (length: number, character = 'a') => {
  const rest = [63, 63].map((size) => 'b'.repeat(size)).join('.');
  return `${character.repeat(60)}@${rest}.${'c'.repeat(length - 60 - 1 - 127 - 1 - 3)}.de`;
};

onEveryEngine('Contact profile', (service) => {
  const writes: Record<string, (fields: object) => Promise<Reply>> = {
    create: (fields) => service.post('/v1/contacts', { phone_number: newPhone(), ...fields }),
    update: (fields) => service.patch(`/v1/contacts/${contactId}`, fields),
  };
  let contactId: string;
  before(async () => {
    contactId = (await makeContact(service)).id;
  });

  for (const [kind, write] of Object.entries(writes)) {
    const assertStoredAsSent = async (fields: Record<string, Json>) => {
      const { status, body, text } = await write(fields);
      assert.equal(status, kind === 'create' ? 201 : 200, text);
      const stored = await getContact(service, body.data.id);
      for (const [field, value] of Object.entries(fields)) {
        assert.deepEqual(body.data[field], value);
        assert.deepEqual(stored[field], value);
      }
      return body.data;
    };

    for (const [field, max] of Object.entries(limits)) {
      test(`A contact ${kind} accepts ${max} characters of ${field} and not one more`, async () => {
        for (const character of characters) {
          await assertStoredAsSent({ [field]: character.repeat(max) });
          const message = await assertFieldsRejected(service, [field], () =>
            write({ [field]: character.repeat(max + 1) }),
          );
          assert.equal(message, `must have at most ${max} characters; this has ${max + 1}.`);
        }
        await assertFieldsRejected(service, [field], () => write({ [field]: `${'😀'.repeat(max)}a` }));
        await assertFieldsRejected(service, [field], () => write({ [field]: 'e\u0301'.repeat(max / 2 + 1) }));
      });

      test(`A contact ${kind} rejects a ${field} that is not text or cannot be stored`, async () => {
        const invalidTexts = [1, true, {}, ['a'], 'a\0b', '\0', '\ud83d', 'a\ude00b', '\ude00\ud83d'];
        for (const value of invalidTexts)
          await assertFieldsRejected(service, [field], () => write({ [field]: value }));
      });
    }

    for (const [what, text] of Object.entries(exact)) {
      test(`A contact ${kind} stores ${what} as sent`, async () => {
        const fields = Object.fromEntries(Object.keys(limits).map((field) => [field, text]));
        const { id } = await assertStoredAsSent({ ...fields, tags: [text, `${text}2`] });
        const { data } = await listContacts(service, { tag: text });
        assert.partialDeepStrictEqual(
          data.find((contact) => contact.id === id),
          { ...fields, tags: [text, `${text}2`] },
        );
      });
    }

    for (const email of addresses) {
      test(`A contact ${kind} stores the email ${email} as sent`, async () => {
        await assertStoredAsSent({ email });
      });
    }

    for (const email of invalidEmails) {
      test(`A contact ${kind} rejects the email ${JSON.stringify(email)}`, async () => {
        const message = await assertFieldsRejected(service, ['email'], () => write({ email }));
        assert.match(message, /ada@example\.com/);
      });
    }

    test(`A contact ${kind} accepts an email of 254 characters and not one more`, async () => {
      for (const character of ['a', '𝒶']) {
        assert.equal([...address(254, character)].length, 254);
        await assertStoredAsSent({ email: address(254, character) });
        const message = await assertFieldsRejected(service, ['email'], () =>
          write({ email: address(255, character) }),
        );
        assert.equal(message, 'must have at most 254 characters; this has 255.');
      }
    });

    test(`A contact ${kind} rejects an email that is not text or cannot be stored`, async () => {
      for (const email of [1, false, {}, ['ada@example.com'], 'a\0@example.com', 'a\ud83d@example.com']) {
        await assertFieldsRejected(service, ['email'], () => write({ email }));
      }
    });

    test(`A contact ${kind} keeps the order of tags and drops duplicates`, async () => {
      const { status, body } = await write({ tags: ['b', 'a', 'b', 'B', 'a', ' a', 'á', 'a\u0301'] });
      assert.equal(status, kind === 'create' ? 201 : 200);
      assert.deepEqual(body.data.tags, ['b', 'a', 'B', ' a', 'á', 'a\u0301']);
      assert.deepEqual((await getContact(service, body.data.id)).tags, body.data.tags);
    });

    test(`A contact ${kind} accepts 50 tags and not one more`, async () => {
      const tags = Array.from({ length: 51 }, (_, at) => `tag ${at}`);
      await assertStoredAsSent({ tags: tags.slice(0, 50) });
      await assertFieldsRejected(service, ['tags'], () => write({ tags }));
    });

    test(`A contact ${kind} counts a repeated tag once`, async () => {
      const tags = Array.from({ length: 50 }, (_, at) => `tag ${at}`);
      const { body } = await write({ tags: [...tags, ...tags] });
      assert.deepEqual(body.data.tags, tags);
    });

    test(`A contact ${kind} accepts tags of 1 to 64 characters`, async () => {
      for (const character of characters) {
        await assertStoredAsSent({ tags: [character, character.repeat(64)] });
        await assertFieldsRejected(service, ['tags[1]'], () => write({ tags: ['ok', character.repeat(65)] }));
      }
      await assertFieldsRejected(service, ['tags[0]'], () => write({ tags: [''] }));
      await assertStoredAsSent({ tags: [] });
    });

    test(`A contact ${kind} rejects tags that are not a list of texts`, async () => {
      for (const tags of [null, 'vip', 1, true, { 0: 'vip', length: 1 }]) {
        await assertFieldsRejected(service, ['tags'], () => write({ tags }));
      }
      for (const tag of [null, 1, true, {}, ['vip'], 'a\0b', '\ud83d']) {
        await assertFieldsRejected(service, ['tags[1]'], () => write({ tags: ['vip', tag] }));
      }
    });
  }
});
