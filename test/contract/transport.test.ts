import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { assertUnaffected } from '../kit/service/health.ts';
import { type CallOptions, onSqlite } from '../kit/service/test-service.ts';

const VALID_BODY = '{"phone_number":"+12025550100"}';

onSqlite('Rejected request bodies', (service) => {
  const send = (raw: string | Uint8Array, headers: CallOptions['headers'] = {}) =>
    service.post('/v1/contacts', undefined, { raw, headers });
  const assertBodyRejected = async (raw: string | Uint8Array, message: RegExp) => {
    const error = assertError(await send(raw), 400, 'VALIDATION_ERROR');
    assert.match(error.message, message);
    return error;
  };

  for (const raw of [
    '{',
    '}',
    '{"phone_number":',
    "{'phone_number':'+12025550100'}",
    '{phone_number:"+12025550100"}',
    '{"phone_number":"+12025550100",}',
    `${VALID_BODY}x`,
    `${VALID_BODY}${VALID_BODY}`,
    '{"phone_number":NaN}',
    '{"phone_number":"+12025550100" /* mine */}',
    '{"phone_number":"+1\n"}',
    '{"phone_number":"\\x41"}',
    'phone_number=%2B12025550100',
    ' ',
    'undefined',
    '"',
    '{"a":"\\',
    `\ufeff${VALID_BODY}`,
  ]) {
    it(`A body that is not JSON is rejected: ${JSON.stringify(raw)}`, () =>
      assertBodyRejected(raw, /not valid JSON/));
  }

  for (const raw of ['[]', `[${VALID_BODY}]`, 'null', 'true', '1', '"text"']) {
    it(`A body that is JSON but not an object is rejected: ${raw}`, () =>
      assertBodyRejected(raw, /must be a JSON object/));
  }

  it('An empty body is rejected', async () => {
    await assertBodyRejected('', /not valid JSON/);
    const bare = await service.call('POST', '/v1/contacts', undefined, {
      headers: { 'content-length': '0' },
    });
    assertError(bare, 400, 'VALIDATION_ERROR');
  });

  for (const [name, ...bytes] of [
    ['a stray continuation', 0x80],
    ['half a character', 0xc3],
    ['an overlong form', 0xc0, 0xaf],
    ['a surrogate', 0xed, 0xa0, 0x80],
    ['a code point past the last', 0xf4, 0x90, 0x80, 0x80],
    ['latin-1', 0xe9],
  ] as const) {
    it(`A body that is not UTF-8 is rejected: ${name}`, () =>
      assertBodyRejected(
        Buffer.concat([
          Buffer.from('{"phone_number":"+12025550100","first_name":"'),
          Buffer.from(bytes),
          Buffer.from('"}'),
        ]),
        /UTF-8/,
      ));
  }

  it('A UTF-16 body is rejected', () => assertBodyRejected(Buffer.from(VALID_BODY, 'utf16le'), /not valid/));

  for (const raw of [
    '{"phone_number":"+12025550100","phone_number":"+12025550101"}',
    '{"phone_number":"+12025550100","phone_number":"+12025550100"}',
    '{"phone_number":"+12025550100","phone\\u005fnumber":"+12025550101"}',
    '{"phone_number":"+12025550100","crm_ids":{"a":"1","a":"2"}}',
    '{"phone_number":"+12025550100","crm_ids":[{"a":{"b":1,"b":1}}]}',
    '{"phone_number":"+12025550100","id":1,"id":2}',
    '{"__proto__":1,"__proto__":2,"phone_number":"+12025550100"}',
  ]) {
    it(`A body with a repeated field is rejected: ${raw}`, () => assertBodyRejected(raw, /more than once/));
  }

  for (const name of ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', '__defineGetter__']) {
    it(`A body with the field ${name} is rejected`, async () => {
      const value = '{"phone_number":"+12025550100","isAdmin":true}';
      assertInvalid(await send(`{"phone_number":"+12025550100","${name}":${value}}`), name);
      assertInvalid(await send(`{"${name}":${value}}`), name, 'phone_number');
      assert.equal(({} as Record<string, unknown>).isAdmin, undefined);
    });
  }

  it('A body nested too deeply is rejected', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
      await assertBodyRejected(deep, /nested/);
      await assertBodyRejected(`{"phone_number":"+12025550100","tags":${deep}}`, /nested/);
      await assertBodyRejected(`{"phone_number":"+12025550100","crm_ids":${deep}}`, /nested/);
    }
    await assertBodyRejected('['.repeat(1_000_000), /nested/);
  });

  for (const [what, body] of [
    ['100,000 wrong tags', { phone_number: '+12025550100', tags: Array(100_000).fill(1) }],
    [
      '100,000 tags',
      { phone_number: '+12025550100', tags: Array.from({ length: 100_000 }, (_, at) => `${at}`) },
    ],
    [
      '20,000 unknown fields',
      Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field${at}`, at])),
    ],
    ['a field name of one megabyte', { phone_number: '+12025550100', ['x'.repeat(1_000_000)]: 1 }],
    ['a phone number of a megabyte', { phone_number: `+${'1'.repeat(1_000_000)}` }],
    ['a text of a megabyte', { phone_number: '+12025550100', notes: 'x'.repeat(1_000_000) }],
  ] as const) {
    it(`A body with ${what} is rejected with a small response`, async () => {
      const reply = await service.post('/v1/contacts', body);
      assertError(reply, 400, 'VALIDATION_ERROR');
      assert.ok(reply.text.length < 10_000, `${reply.text.length} characters`);
    });
  }

  for (const type of [
    null,
    '',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/jsonx',
    'application/ json',
    'xapplication/json',
    'application/xml, application/json',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8x',
  ]) {
    it(`A body of the type ${type} is rejected`, async () => {
      const raw = new TextEncoder().encode(VALID_BODY);
      assertError(await send(raw, { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    });
  }

  for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip', 'x']) {
    it(`A body with the encoding ${encoding} is rejected`, async () => {
      assertError(await send(VALID_BODY, { 'content-encoding': encoding }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    });
  }

  it('A large body of a wrong type is rejected for its type, not its length', async () => {
    const raw = 'x'.repeat(1_048_577);
    assertError(await send(raw, { 'content-type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('The service still works after rejected bodies', () => assertUnaffected(service));
});

onSqlite('Accepted request bodies', (service) => {
  let count = 100;
  const next = () => `{"phone_number":"+12025550${count++}"}`;
  const types = [
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; profile=x',
  ];

  for (const type of types) {
    it(`A body of the type ${type} is accepted`, async () => {
      const reply = await service.post('/v1/contacts', undefined, {
        raw: next(),
        headers: { 'content-type': type },
      });
      assert.equal(reply.status, 201, reply.text);
    });
  }

  it('A body with the encoding identity is accepted', async () => {
    const headers = { 'content-encoding': 'identity' };
    assert.equal((await service.post('/v1/contacts', undefined, { raw: next(), headers })).status, 201);
  });

  it('A body can have whitespace around it and brackets and colons in its texts', async () => {
    const text = `${'['.repeat(200)}{":":"}"\\`;
    const raw = ` \r\n\t${next().slice(0, -1)},"notes":${JSON.stringify(text)}}\n`;
    const reply = await service.post('/v1/contacts', undefined, { raw });
    assert.equal(reply.status, 201, reply.text);
    assert.equal(reply.body.data.notes, text);
  });
});
