import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTemplate, partsOf } from '../../dashboard/src/api/placeholders.gen.ts';
import { variablesFrom } from '../../dashboard/src/pages/agents/variables.ts';
import {
  bodyOf,
  differences,
  editableOf,
  type LoadedContact,
  namesIn,
  withChange,
} from '../../dashboard/src/pages/contacts/detail/fields.ts';
import {
  enteredValue,
  type FieldType,
  type FieldValue,
  fieldText,
  inputOf,
  isWebAddress,
  keyOf,
  optionsIn,
} from '../../dashboard/src/records/fields/values.ts';

const BERLIN = 'Europe/Berlin';

describe('Values of fields', () => {
  it('What a control shows of a value is read as the same value', () => {
    const values: readonly [FieldType, FieldValue][] = [
      ['text', ' a\nb '],
      ['number', 12.5],
      ['number', -0.001],
      ['number', 1e15],
      ['boolean', true],
      ['boolean', false],
      ['date', '2026-02-28'],
      ['datetime', '2026-01-31T08:30:00.000Z'],
      ['datetime', '2026-07-31T08:30:15.000Z'],
      ['enum', 'gold'],
      ['url', 'https://example.com/a'],
    ];
    for (const [type, value] of values)
      assert.deepEqual(enteredValue(type, inputOf(type, value, BERLIN), BERLIN), value);
  });

  it('A time is shown and read in the zone of the workspace', () => {
    assert.equal(inputOf('datetime', '2026-07-31T08:30:00.000Z', BERLIN), '2026-07-31T10:30');
    assert.equal(enteredValue('datetime', '2026-07-31T10:30', BERLIN), '2026-07-31T08:30:00.000Z');
    assert.match(fieldText('datetime', '2026-12-31T23:30:00.000Z', BERLIN), /2027.*12:30/);
  });

  it('A date is the same day in every zone', () => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago'])
      assert.match(fieldText('date', '2026-03-01', zone), /Mar 1, 2026/);
  });

  it('An empty control is no value, and a number with separators is refused', () => {
    for (const type of ['text', 'number', 'boolean', 'date', 'datetime', 'enum', 'url'] as const)
      assert.equal(enteredValue(type, '', BERLIN), null);
    for (const typed of ['1,234', '1 000', 'ten', '1.2.3', '0x10', '1e5', '.'])
      assert.equal(enteredValue('number', typed, BERLIN), undefined, typed);
    assert.equal(enteredValue('number', ' +7 ', BERLIN), 7);
  });

  it('Values are formatted for the reader', () => {
    assert.equal(fieldText('number', 1234.5, BERLIN), '1,234.5');
    assert.equal(fieldText('boolean', false, BERLIN), 'No');
    assert.equal(fieldText('text', null, BERLIN), '');
    assert.equal(fieldText('number', 0, BERLIN), '0');
  });

  it('Only web addresses become links', () => {
    assert.equal(isWebAddress('HTTPS://example.com'), true);
    for (const text of ['javascript:alert(1)', 'data:text/html,x', 'example.com', ' https://example.com'])
      assert.equal(isWebAddress(text), false, text);
  });

  it('A key is derived from a label', () => {
    assert.equal(keyOf('Renewal date (next)'), 'renewal_date_next');
    assert.equal(keyOf('Größe in Fuß'), 'grosse_in_fuss');
    assert.equal(keyOf('2nd plan'), 'nd_plan');
    assert.equal(keyOf('日本'), '');
    assert.match(keyOf('x '.repeat(60)), /^[a-z][a-z0-9_]{0,39}$/);
  });

  it('Options are the lines of a text, each once', () => {
    assert.deepEqual(optionsIn(' gold \n\nsilver\ngold\n'), ['gold', 'silver']);
  });
});

describe('Changes of a contact', () => {
  const contact = {
    phone_number: '+12025550101',
    first_name: 'Ada',
    tags: ['vip'],
    fields: { plan: 'gold', balance: 3 },
  } as unknown as LoadedContact['data'];

  it('A change of fields is sent by key, and null clears', () => {
    assert.deepEqual(bodyOf({ first_name: 'Eve', 'fields.plan': null, 'fields.balance': 4 }), {
      first_name: 'Eve',
      fields: { plan: null, balance: 4 },
    });
    assert.deepEqual(bodyOf({ tags: [] }), { tags: [] });
  });

  it('A contact with a change has the new values, and no cleared ones', () => {
    const changed = withChange(contact, { first_name: 'Eve', 'fields.plan': null });
    assert.deepEqual(changed.fields, { balance: 3 });
    assert.equal(changed.first_name, 'Eve');
  });

  it('A value that someone added, changed or cleared is a difference', () => {
    const before = editableOf(contact);
    const after = editableOf(withChange(contact, { 'fields.plan': null, 'fields.ends': '2026-01-31' }));
    assert.deepEqual(differences(before, after), ['fields.plan', 'fields.ends']);
    assert.deepEqual(differences(before, before), []);
    assert.deepEqual(namesIn({ 'fields.plan': 'a', first_name: 'b' }), ['first_name', 'fields.plan']);
  });
});

describe('Variables of instructions', () => {
  const { offered, names } = variablesFrom(
    [{ key: 'plan', label: 'Plan' }],
    [
      { name: 'slot', description: 'The appointment', example: 'Tuesday at ten' },
      { name: 'plan', description: null, example: null },
    ],
  );

  it('Contact variables, fields and declared names are offered, each once', () => {
    const found = offered.map(({ name, kind }) => `${kind} ${name}`);
    assert.ok(found.includes('contact first_name'));
    assert.deepEqual(found.slice(-2), ['field plan', 'agent slot']);
  });

  it('Values, fallbacks, holes and unknown names of a text are told apart', () => {
    const text = 'Hi {{first_name|there}}, {{fields.plan}} {{slot}} {{weather}}';
    const used: Record<string, string> = { slot: 'Tuesday' };
    const parts = partsOf(parseTemplate(text), (name) => used[name] ?? '', names);
    assert.deepEqual(
      parts.filter(({ kind }) => kind !== 'text').map(({ kind, text }) => [kind, text]),
      [
        ['fallback', 'there'],
        ['missing', '{{fields.plan}}'],
        ['value', 'Tuesday'],
        ['unknown', '{{weather}}'],
      ],
    );
  });
});
