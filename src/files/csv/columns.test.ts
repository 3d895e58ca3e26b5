import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyMapping, columnIndexes, type Mapping } from '../../features/imports/mapping.ts';
import { ApiError } from '../../lib/errors.ts';
import { type Column, matchColumns } from './columns.ts';

/** What each column was taken for, by its name. */
const matched = (header: string[] | null, rows: string[][] = []): Record<string, string> =>
  Object.fromEntries(
    matchColumns(header, rows).flatMap(({ name, field, certainty }) =>
      field ? [[name, `${field} by ${certainty}`]] : [],
    ),
  );

const byName = (field: string) => `${field} by name`;

test('Column names match regardless of case, spaces and punctuation', () => {
  const names: [string, string][] = [
    ['phone_number', 'phone_number'], ['Phone Number', 'phone_number'], ['PHONE-NUMBER', 'phone_number'],
    ['phoneNumber', 'phone_number'], ['Mobile', 'phone_number'], ['MOBILEPHONE', 'phone_number'],
    ['Phone 1 - Value', 'phone_number'], ['Phone 3 - Value', 'phone_number'], ['Tel.', 'phone_number'],
    ['Téléphone', 'phone_number'], ['Teléfono móvil', 'phone_number'], ['Handynummer', 'phone_number'],
    ['Customer phone', 'phone_number'], ["Client's mobile no", 'phone_number'],
    ['normalized_phone', 'normalized_phone'], ['Given Name', 'first_name'], ['Vorname', 'first_name'],
    ['Prénom', 'first_name'], ['Family Name', 'last_name'], ['surname', 'last_name'], ['Full name', 'display_name'],
    ['Display Name', 'display_name'], ['E-mail', 'email'], ['email address', 'email'], ['E-mail 1 - Value', 'email'],
    ['E-mail 2 Address', 'email'], ['Work e-mail', 'email'], ['Company', 'company'], ['Account.Name', 'company'],
    ['Associated Company', 'company'], ['Organization Name', 'company'], ['Société', 'company'], ['Notes', 'notes'],
    ['Description', 'notes'], ['Labels', 'tags'], ['Categories', 'tags'], ['Group Membership', 'tags'],
  ]; // biome-ignore format: a table
  for (const [name, field] of names) {
    const expected = field === 'normalized_phone' ? 'phone_number' : field;
    assert.deepEqual(matched([name], [['x']]), { [name]: byName(expected) }, name);
  }
});

test('Names of other things match no field', () => {
  for (const name of [
    'Record ID',
    'Associated Company IDs',
    'Phone 1 - Label',
    'Phone 1 - Type',
    'E-mail 1 - Label',
    'Business Fax',
    'Pager',
    "Assistant's Phone",
    'Phone Extension',
    'Phone Country Code',
    'Phone verified',
    'Email opt-out',
    'Email Domain',
    'E-mail Display Name',
    'E-mail Type',
    'Contact owner',
    'Create Date',
    'Last Modified Date',
    'AccountId',
    'OwnerId',
    'Title',
    'Organization Title',
    'Phonetic First Name',
    'Middle Name',
    'Home City',
    'Government ID Number',
    'Website',
    '',
  ]) /* biome-ignore format: a list */ {
    assert.deepEqual(matched([name], [['x']]), {}, name);
  }
});

test('Of several phone columns, mobile is chosen before general, business and home', () => {
  const order = [
    'Mobile Phone',
    'Phone',
    'Business Phone',
    'Home Phone',
    'Other Phone',
    'Phone 2 - Value',
    'Car telephone',
  ];
  for (let from = 0; from < order.length; from++) {
    const header = order.slice(from).reverse();
    const phone = Object.entries(matched(header, [header.map(() => '4155550100')])).filter(
      ([, field]) => field === byName('phone_number'),
    );
    assert.deepEqual(phone, [[order[from], byName('phone_number')]]);
  }
});

test('Other personal phone columns are the fallback where the phone number is empty', () => {
  const number = ['4155550100'];
  const other = byName('other_phone');
  assert.deepEqual(matched(['Mobile Phone', 'phone_number']), {
    'Mobile Phone': other,
    phone_number: byName('phone_number'),
  });
  for (const name of ['Phone', 'Home Phone', 'Phone 2 - Value', 'Business Phone 2', 'Handy']) {
    assert.equal(matched(['Mobile', name], [[...number, ...number]])[name], other, name);
    assert.equal(matched(['Mobile', name], [[...number, '']])[name], other, `${name}, empty`);
    assert.equal(matched(['Mobile', name], [[...number, 'yes']])[name], undefined, `${name}, no numbers`);
  }
  for (const name of [
    'Company Main Phone',
    'Callback',
    'Number',
    'Fax',
    "Assistant's Phone",
    'Car telephone',
  ]) {
    assert.equal(matched(['Mobile', name], [[...number, ...number]])[name], undefined, name);
  }
  const several = matchColumns(['Mobile', 'Phone', 'Home Phone'], []);
  assert.deepEqual(columnIndexes(applyMapping(several)), { phone_number: [0], other_phone: [1, 2] });
  assert.deepEqual(columnIndexes(applyMapping(several, { 0: 'other_phone', 2: 'phone_number' })), {
    phone_number: [2],
    other_phone: [0, 1],
  });
});

test('A fuller column is preferred to one that is nearly empty', () => {
  const header = ['Mobile', 'Phone'];
  const full = (mobiles: number) => Array.from({ length: 10 }, (_, i) => [i < mobiles ? '1' : ' ', '2']);
  assert.deepEqual(matched(header, full(5)), { Mobile: byName('phone_number') });
  assert.deepEqual(matched(header, full(4)), { Phone: byName('phone_number') });
  assert.deepEqual(matched(['Phone', 'phone_number'], [['1', '']]), { phone_number: byName('phone_number') });
});

test('A normalized number is its own field next to the number, and the number if it is alone', () => {
  assert.deepEqual(matched(['Phone', 'E.164']), {
    Phone: byName('phone_number'),
    'E.164': byName('normalized_phone'),
  });
  assert.deepEqual(matched(['Name', 'E.164']), {
    Name: byName('display_name'),
    'E.164': byName('phone_number'),
  });
});

test('Without a header, the content determines the columns', () => {
  const rows = [
    ['20415555010', 'Ada', '+14155550100', 'ada@example.com', '2024-01-31'],
    ['20415555011', 'Grace', '+14155550101', '', '2024-02-01'],
    ['20415555012', 'Mary', '', 'mary@example.com ::: m@example.com', '2024-02-02'],
  ];
  const expected = { 'Column 3': 'phone_number by content', 'Column 4': 'email by content' };
  assert.deepEqual(matched(null, rows), expected);
  assert.deepEqual(matched(['', ' ', '', '', ''], rows), expected);
});

test('Content determines a column with a meaningless name, but not one with another meaning', () => {
  const numbers = [['4155550100'], ['4155550101']];
  assert.deepEqual(matched(['Contatto'], numbers), { Contatto: 'phone_number by content' });
  for (const name of [
    'ID',
    'Customer ID',
    'customerId',
    'Order number',
    'Date',
    'Account',
    'Fax',
    'RECORDID',
    'createddate',
    'ZIP',
    'Invoice',
    'UUID',
  ]) {
    assert.deepEqual(matched([name], numbers), {}, name);
  }
  assert.deepEqual(matched(['Notes', 'Comments'], [['x', '4155550100']]), { Notes: byName('notes') });
  assert.deepEqual(matched(['Contact owner'], [['ada@example.com']]), {});
  assert.deepEqual(matched(['Contatto'], [['ada@example.com']]), { Contatto: 'email by content' });
});

test('Values that only resemble numbers do not make a phone column', () => {
  for (const value of [
    '2024-01-31',
    '31.01.2024',
    '01/31/2024',
    '20240131',
    '2024-01-31 09:30',
    '94110-1234',
    '123-45-6789',
    '192.168.100.1',
    '37.7749295',
    '-122.4194155',
    '1234567.89',
    '12345',
    '4111 1111 1111 1111',
    'Room 4155550100',
    '12345678-1234-1234',
  ]) /* biome-ignore format: a list */ {
    assert.deepEqual(matched(null, [[value], [value]]), {}, value);
  }
  const half = [['4155550100'], ['x'], ['4155550101'], ['y']];
  assert.deepEqual(matched(null, half), {});
  assert.deepEqual(matched(null, [...half, ['4155550102']]), { 'Column 1': 'phone_number by content' });
  for (const value of [
    '+14155550100',
    '(415) 555-0100',
    '415.555.0100',
    '4.15556E+11',
    "'4155550100",
    '14155550100.0',
  ]) {
    assert.deepEqual(matched(null, [[value]]), { 'Column 1': 'phone_number by content' }, value);
  }
});

test('Columns show their name and first values, truncated', () => {
  const rows = [
    ['', 'a'],
    ['x', 'b', 'extra'],
    ['y', ''],
    ['z', 'c'],
    ['w', 'd'],
  ];
  assert.deepEqual(matchColumns(['Phone', ' Foo '], rows), [
    { name: 'Phone', samples: ['x', 'y', 'z'], field: 'phone_number', certainty: 'name' },
    { name: 'Foo', samples: ['a', 'b', 'c'], field: null, certainty: null },
    { name: 'Column 3', samples: ['extra'], field: null, certainty: null },
  ]);
  const [long] = matchColumns(['n'.repeat(5_000)], [[`${'s'.repeat(199)}😀s`]]);
  assert.equal(long?.name.length, 201);
  assert.deepEqual(long?.samples, [`${'s'.repeat(199)}\ufffd…`]);
  assert.deepEqual(matchColumns(null, []), []);
});

const columns: Column[] = matchColumns(['Mobile', 'Phone', 'Name', 'Foo'], [['1', '2', '3', '4']]);
const fieldsAfter = (mapping: Mapping) => applyMapping(columns, mapping).map(({ field }) => field);
const problemsOf = (mapping: Mapping, of: Column[] = columns): string[] => {
  try {
    applyMapping(of, mapping);
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'VALIDATION_ERROR' && Array.isArray(error.details));
    assert.ok(error.details.every(({ field }) => field === 'columns'));
    return error.details.map(({ message }) => message);
  }
  return [];
};

test('Manual choices take precedence over guesses', () => {
  assert.deepEqual(fieldsAfter({}), ['phone_number', null, 'display_name', null]);
  assert.deepEqual(fieldsAfter({ 1: 'phone_number' }), [null, 'phone_number', 'display_name', null]);
  assert.deepEqual(fieldsAfter({ 0: 'notes', 1: 'phone_number', 2: null, 3: 'tags' }), [
    'notes',
    'phone_number',
    null,
    'tags',
  ]);
  assert.deepEqual(
    applyMapping(columns, { 3: 'email', 2: null }).map(({ certainty }) => certainty),
    ['name', null, 'hand', 'hand'],
  );
  assert.deepEqual(fieldsAfter({ 0: null, 1: 'phone_number', 2: null, 3: 'notes' }), [
    null,
    'phone_number',
    null,
    'notes',
  ]);
  assert.deepEqual(fieldsAfter({ Name: null, 3: 'notes' }), ['phone_number', null, null, 'notes']);
  assert.equal(columns[2]?.field, 'display_name', 'the guesses are left as they were');
  assert.deepEqual(columnIndexes(applyMapping(columns, { 3: 'tags' })), {
    phone_number: [0],
    display_name: [2],
    tags: [3],
  });
});

test('Impossible choices are reported, a missing phone number first', () => {
  const missing =
    'must include a phone number. Map one of these to phone_number: "Mobile", "Phone", "Name", "Foo".';
  assert.deepEqual(problemsOf({ 0: null }), [missing]);
  assert.deepEqual(problemsOf({ 0: 'email', 3: 'email', 9: 'nickname' }), [
    missing,
    'do not include index 9. Indexes range from 0 to 3.',
    'cannot be mapped to "nickname". Allowed fields: phone_number, other_phone, normalized_phone, first_name, last_name, display_name, email, company, notes, tags, crm_ids, fields.<key>, variables.<name>.',
    '"Mobile" and "Foo" are both mapped to email. Map only one of them.',
  ]);
  assert.deepEqual(problemsOf({ 0: 'phone_number', 1: 'phone_number' }), [
    '"Mobile" and "Phone" are both mapped to phone_number. Map only one of them.',
  ]);
  for (const name of ['-1', '1.5', '01', 'x', '__proto__']) {
    assert.deepEqual(problemsOf(Object.fromEntries([[name, 'notes']])), [
      `do not include "${name}". Available columns: Mobile, Phone, Name, Foo.`,
    ]);
  }
  assert.match(problemsOf({}, matchColumns(['Name'], [['Ada']]))[0] ?? '', /^must include a phone number/);
});

test('A header cell of more than 100 characters names no field', () => {
  const padded = (length: number) => `${'x'.repeat(length - 6)} phone`;
  assert.deepEqual(matched([padded(100)]), { [padded(100)]: 'phone_number by name' });
  assert.deepEqual(matched([padded(101)]), {});
});
