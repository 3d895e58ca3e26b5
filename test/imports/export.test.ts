import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../kit/any-character.ts';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { listContacts } from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { nationalFormat } from '../kit/fixtures/legacy-contacts.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { applyImport, importRows, planCsv } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine, type TestService } from '../kit/service/test-service.ts';

const COLUMNS = [
  'id', 'phone_number', 'normalized_phone', 'first_name', 'last_name', 'display_name', 'email', 'company', 'notes',
  'tags', 'source', 'first_contact_at', 'last_contact_at', 'created_at', 'updated_at',
]; // biome-ignore format: a list

/** The cells of a CSV file, parsed strictly by RFC 4180. */
const cellsOf = (csv: string): string[][] => {
  assert.equal(csv[0], '\ufeff', 'marked as UTF-8');
  const rows: string[][] = [];
  for (let rest = csv.slice(1); rest !== ''; ) {
    const row: string[] = [];
    for (let separator = ','; separator === ','; ) {
      const [all, quoted, plain = '', end = ''] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [
        '',
        '',
      ];
      assert.notEqual(all, '', `no cell: ${rest.slice(0, 100)}`);
      row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
      rest = rest.slice(all.length);
      separator = end;
    }
    rows.push(row);
  }
  return rows;
};

/** A download as text, including the byte order mark, which fetch removes. */
const download = async (service: TestService, { cookie }: DashboardUser, path: string) => {
  const reply = await fetch(`${service.url}/v1${path}`, { headers: { cookie } });
  const text = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(await reply.arrayBuffer());
  assert.equal(reply.status, 200, text);
  return { headers: reply.headers, text };
};

/** Texts that a spreadsheet interprets as formulas. */
const FORMULA = /^[=+\-@\t\r]/;

const unusual = ['=1+1', '-x', '+x', '@SUM(A1)', "'quoted", "'=1", "''", '\ttab', '\r\n=1', '"', 'a "b", c;d|e\tf',
  'line\nbreak\r\nand\rmore\n', ' padded ', ' ', '007', '1e5', '1.5', '2024-01-31', '😀 ünï', '\u202eabc', '\ufeffmark',
  'sep=;', 'null', 'TRUE']; // biome-ignore format: a list

onEveryEngine('Exports', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInUser(service);
  });
  const exported = (query: Record<string, string> = {}) =>
    download(service, owner, `/contacts/export?${new URLSearchParams(query)}`);
  const csvOf = async (query: Record<string, string> = {}) => (await exported(query)).text;
  const unchanged = async (csv: string, count: number, query: Record<string, string> = {}) => {
    const { id, totals } = await planCsv(owner, csv, { on_existing: 'overwrite', tags: 'replace', ...query });
    const wrong = totals.unchanged === count ? [] : await importRows(owner, id);
    assert.deepEqual(
      totals,
      { unchanged: count },
      JSON.stringify(wrong.find((row) => row.verdict !== 'unchanged')),
    );
  };

  test('The exported rows of an import can be corrected and imported again', async () => {
    const file = [
      'Phone,First Name,Notes',
      "'+14155550101,=cmd(),'=1+1",
      '4155550102,"a ""b"", c","line',
      'break"',
      'none,Eve,-2',
      '(415) 555-0101,Twice',
    ].join('\n');
    const { id } = await planCsv(owner, file);
    const reply = await download(service, owner, `/imports/${id}/report.csv`);
    assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8');
    const cells = cellsOf(reply.text);
    assert.deepEqual(cells, [
      ['line', 'verdict', 'field', 'reason', 'warnings', 'effect', 'Phone', 'First Name', 'Notes'],
      ['2', 'create', '', '', '', '', "'+14155550101", "'=cmd()", "'=1+1"],
      ['3', 'create', '', '', '', '', "'4155550102", 'a "b", c', 'line\nbreak'],
      ['5', 'invalid', 'phone_number', 'is not a phone number.', '', '', 'none', 'Eve', "'-2"],
      [
        '6',
        'duplicate_in_file',
        'phone_number',
        'Same number as line 2.',
        '',
        '',
        "'(415) 555-0101",
        'Twice',
        '',
      ],
    ]);
    const again = await planCsv(owner, reply.text.replace('none', '+14155550103'));
    assert.deepEqual(again.totals, { create: 3, duplicate_in_file: 1 });
    await applyImport(owner, again.id);
    const { data } = await listContacts(service);
    assert.deepEqual(
      data.reverse().map(({ phone_number, first_name, notes }) => [phone_number, first_name, notes]),
      [
        ['+14155550101', '=cmd()', '=1+1'],
        ['+14155550102', 'a "b", c', 'line\nbreak'],
        ['+14155550103', 'Eve', '-2'],
      ],
    );
    const applied = await download(service, owner, `/imports/${again.id}/report.csv`);
    assert.deepEqual(
      cellsOf(applied.text).map(([, , , , , effect]) => effect),
      ['effect', 'created', 'created', 'created', ''],
    );
  });

  test('An export without contacts contains only the header', async () => {
    const reply = await exported({ tag: 'nobody' });
    assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(reply.headers.get('content-disposition'), 'attachment; filename="contacts.csv"');
    assert.deepEqual(cellsOf(reply.text), [COLUMNS]);
    assert.equal((await exported({ tag: 'nobody', format: 'jsonl' })).text, '');
  });

  test('A CSV export has every field of every contact, oldest first, with formulas escaped', async () => {
    for (const [at, text] of unusual.entries()) {
      const email = at % 2 === 0 ? '=1+1@example.com' : undefined;
      const texts = { first_name: text, last_name: text, display_name: text, company: text, notes: text };
      await makeContact(service, { ...texts, email, tags: ['strange', text, `${text};"x, y"`] });
    }
    const [header, ...rows] = cellsOf(await csvOf({ tag: 'strange' }));
    assert.deepEqual(header, COLUMNS);
    const { data } = await listContacts(service, { tag: 'strange', limit: 100 });
    assert.equal(rows.length, unusual.length);
    for (const [at, contact] of data.reverse().entries()) {
      const row = rows[at] as string[];
      for (const [place, cell] of row.entries()) {
        assert.doesNotMatch(cell, FORMULA);
        const name = COLUMNS[place] as string;
        const text = contact[name] ?? '';
        if (name !== 'tags') assert.ok(cell === text || cell === `'${text}`, `${name}: ${cell} for ${text}`);
      }
      assert.equal(row[1], `'${contact.phone_number}`, 'a spreadsheet keeps it as text');
    }
    await unchanged(await csvOf({ tag: 'strange' }), unusual.length);
  });

  test('A JSON Lines export has one contact per line, in the same form as the contact list', async () => {
    await makeContact(service, { first_name: '=1+1', notes: 'a\nb', tags: ['lines', 'a;b'] });
    await makeContact(service, { tags: ['lines'] });
    const reply = await exported({ tag: 'lines', format: 'jsonl' });
    assert.equal(reply.headers.get('content-type'), 'application/jsonl; charset=utf-8');
    assert.equal(reply.headers.get('content-disposition'), 'attachment; filename="contacts.jsonl"');
    const { data } = await listContacts(service, { tag: 'lines' });
    assert.deepEqual(reply.text.split('\n'), [
      ...data.reverse().map((contact) => JSON.stringify({ ...contact, normalized_phone: null })),
      '',
    ]);
  });

  test('An export can be filtered by tag, by search, or by both', async () => {
    const [one, two] = [
      await makeContact(service, { first_name: 'Ada', tags: ['picked'] }),
      await makeContact(service, { first_name: 'Zoë', last_name: 'Picker' }),
    ];
    const ids = async (query: Record<string, string>) => cellsOf(await csvOf(query)).map(([id]) => id);
    assert.deepEqual(await ids({ tag: 'picked' }), ['id', one.id]);
    assert.deepEqual(await ids({ search: 'zoe pick' }), ['id', two.id]);
    assert.deepEqual(await ids({ search: one.phone_number }), ['id', one.id]);
    assert.deepEqual(await ids({ search: 'i', tag: '' }), await ids({ search: 'i' }));
    assert.ok((await ids({})).includes(one.id) && (await ids({})).includes(two.id));
    const three = await makeContact(service, { first_name: 'Adam', tags: ['other', 'picked'] });
    assert.deepEqual(await ids({ tag: 'picked', search: 'ada' }), ['id', one.id, three.id]);
    assert.deepEqual(await ids({ tag: 'other', search: 'ad' }), ['id', three.id]);
    assert.deepEqual(await ids({ tag: 'other', search: 'zoe' }), ['id']);
    assertInvalid(await owner.call('GET', '/contacts/export?format=xlsx'), 'format');
    assertInvalid(await owner.call('GET', '/contacts/export?limit=1'), 'limit');
    const anonymous = { headers: { authorization: null } };
    assertError(await service.get('/v1/contacts/export', anonymous), 401, 'UNAUTHORIZED');
  });

  test('An export preserves legacy numbers and their identities', async () => {
    const [none, derived, shown, normalized] = [newPhone(), newPhone(), newPhone(), newPhone()];
    const file = [
      'Phone,E.164,Tags',
      `${nationalFormat(none)},,legacy`,
      `${nationalFormat(derived)},${derived},legacy`,
      `${nationalFormat(shown)},${normalized},legacy`,
    ].join('\n');
    const post = async (csv: string) => {
      const reply = await owner.call('POST', '/imports?legacy=true&on_existing=overwrite', undefined, {
        raw: csv,
        headers: { 'content-type': 'text/csv' },
      });
      return reply.body.data;
    };
    await applyImport(owner, (await post(file)).id);
    const csv = await csvOf({ tag: 'legacy' });
    assert.deepEqual(
      cellsOf(csv).map(([, phone, identity]) => [phone, identity]),
      [
        ['phone_number', 'normalized_phone'],
        [`'${nationalFormat(none)}`, ''],
        [`'${nationalFormat(derived)}`, `'${derived}`],
        [`'${nationalFormat(shown)}`, `'${normalized}`],
      ],
    );
    assert.deepEqual((await post(csv)).totals, { unchanged: 3 });
  });

  test('Importing an export of arbitrary contacts changes nothing', async () => {
    const text = fc
      .oneof(
        fc.string({ unit: anyCharacter, maxLength: 30 }),
        fc.string({ unit: fc.constantFrom(...'\'"=+-@\t\r\n0(;,:*| aé😀'), maxLength: 12 }),
        fc.constantFrom(...unusual),
      )
      .filter((value) => !value.includes('\0') && value.isWellFormed());
    const field = fc.option(text);
    const contact = fc.record({
      first_name: field,
      last_name: field,
      display_name: field,
      company: field,
      notes: field,
      tags: fc.array(
        text.filter((tag) => tag !== ''),
        { maxLength: 4 },
      ),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(contact, { minLength: 1, maxLength: 4 }), async (contacts) => {
        const tag = `run ${++run}`;
        for (const fields of contacts) await makeContact(service, { ...fields, tags: [...fields.tags, tag] });
        await unchanged(await csvOf({ tag }), contacts.length);
      }),
      { numRuns: 30, interruptAfterTimeLimit: 5_000 },
    );
  });

  test('An export of more than a thousand contacts is streamed and can be imported again', async () => {
    const count = 1_200;
    const rows = Array.from(
      { length: count },
      (_, at) => `+1${300 + Math.floor(at / 100)}5550${100 + (at % 100)},Row ${at},thousands`,
    );
    const { id } = await planCsv(owner, ['Phone,First Name,Tags', ...rows].join('\n'));
    assert.equal((await applyImport(owner, id)).totals.created, count);
    const reply = await exported({ tag: 'thousands' });
    assert.equal(reply.headers.get('content-length'), null);
    const cells = cellsOf(reply.text);
    assert.deepEqual(
      cells.slice(1).map(([, , , name]) => name),
      rows.map((_, at) => `Row ${at}`),
    );
    const lines = (await exported({ tag: 'thousands', format: 'jsonl' })).text.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as Json).first_name),
      rows.map((_, at) => `Row ${at}`),
    );
    for (const search of ['row ', 'ro']) {
      for (const tag of ['thousands', '']) {
        const found = cellsOf(await csvOf({ search, tag })).filter(([, , , name]) => name?.startsWith('Row'));
        assert.deepEqual(
          found.map(([id]) => id),
          cells.slice(1).map(([id]) => id),
          `${search} ${tag}`,
        );
      }
    }
    await unchanged(reply.text, count);
  });

  test('A HEAD request for an export returns no body', async () => {
    const head = await owner.call('HEAD', '/contacts/export');
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal(head.headers.get('content-type'), 'text/csv; charset=utf-8');
  });
});
