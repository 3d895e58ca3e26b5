import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactFields } from '../contacts/contact.schema.ts';
import {
  contactVariables,
  namesIn,
  namesWith,
  parseTemplate,
  partsOf,
  render,
  suggestionFor,
  unknownVariablesIn,
  valueText,
  variablesIn,
} from './placeholders.ts';

/** The parts of a text with the values of a contact. */
const renderParts = (text: string, values: Readonly<Record<string, unknown>>) =>
  partsOf(parseTemplate(text), (name) => valueText(values[name]), new Set(contactVariables));

const unknownIn = (text: string) => unknownVariablesIn(text).map(({ placeholder }) => placeholder);

test('Every field of a contact is a variable', () => {
  assert.deepEqual(contactVariables, [...contactFields, 'crm_ids']);
});

test('Variables are the contact fields that a text names, each once', () => {
  const found: [string, string[]][] = [
    ['Hello {{first_name}} {{last_name}}, {{first_name}}!', ['first_name', 'last_name']],
    ['{{ email }}{{\tcompany\n}}{{display_name }}', ['email', 'company', 'display_name']],
    [
      '{{notes}} {{phone_number}} {{tags}} {{crm_ids}} {{{id}}}',
      ['notes', 'phone_number', 'tags', 'crm_ids', 'id'],
    ],
    ['{first_name} {{first name}} {{First_Name}} {{name}} {{}} {{ }} { {email} }', []],
    ['{{constructor}} {{__proto__}} {{toString}} {{hasOwnProperty}}', []],
    ['{{contact.first_name}} {{first_name', []],
    ['', []],
  ];
  for (const [text, names] of found) assert.deepEqual(variablesIn(text), names, text);
});

test('Unknown variables are the placeholders that name no contact field, each once and as written', () => {
  const found: [string, string[]][] = [
    ['{{first_name}} {{last_nmae}} {{ city }} {{last_nmae}}', ['{{last_nmae}}', '{{ city }}']],
    [
      '{{First_Name}} {{first name}} {{contact.email}}',
      ['{{First_Name}}', '{{first name}}', '{{contact.email}}'],
    ],
    ['{{}} {{ }} {{constructor}} {{#if company}}', ['{{}}', '{{ }}', '{{constructor}}', '{{#if company}}']],
    [`{{${'x'.repeat(200)}}}`, [`{{${'x'.repeat(200)}}}`]],
    ['', []],
  ];
  for (const [text, placeholders] of found) assert.deepEqual(unknownIn(text), placeholders, text);
});

test('A variable in mistyped braces is unknown, and braces of ordinary text are ignored', () => {
  const found: [string, string[]][] = [
    ['Dear {{ last_name }, hello', ['{{ last_name }']],
    ['Dear {{last_name, hello {{email}}', ['{{last_name']],
    ['Dear {last_name} and { First_Name }} and {email', ['{last_name}', '{ First_Name }}']],
    ['{"user": {"name": {"x": 1}}} {name} {0} { } {} }} {{', []],
    ['{{"a": 1}, [{{ }]', []],
  ];
  for (const [text, placeholders] of found) assert.deepEqual(unknownIn(text), placeholders, text);
});

test('A suggestion is the most similar variable', () => {
  const suggestions: [string, string | undefined][] = [
    ['last_nmae', 'last_name'],
    ['firstname', 'first_name'],
    ['First Name', 'first_name'],
    ['contact.firstName', 'first_name'],
    ['EMAIL', 'email'],
    ['mail', 'email'],
    ['phone', 'phone_number'],
    ['tag', 'tags'],
    ['weather', undefined],
    ['constructor', undefined],
    ['', undefined],
    ['x', undefined],
  ];
  for (const [name, variable] of suggestions) assert.equal(suggestionFor(name), variable, name);
});

test('A rendered text has the values of the contact, and marks missing values and unknown variables', () => {
  const contact = {
    first_name: 'Ada',
    last_name: null,
    company: '',
    tags: ['vip', 'new'],
    crm_ids: { hubspot: '7' },
    notes: '{{first_name}}',
  };
  const kinds = (text: string) => renderParts(text, contact).map(({ kind, text }) => [kind, text]);
  assert.deepEqual(kinds('Hi {{ first_name }} {{last_name}}{{company}}, {"a": 1} {{last_nmae}}!'), [
    ['text', 'Hi '],
    ['value', 'Ada'],
    ['text', ' '],
    ['missing', '{{last_name}}'],
    ['missing', '{{company}}'],
    ['text', ', {"a": 1} '],
    ['unknown', '{{last_nmae}}'],
    ['text', '!'],
  ]);
  assert.deepEqual(kinds('{{tags}} {{crm_ids}}'), [
    ['value', 'vip, new'],
    ['text', ' '],
    ['value', 'hubspot: 7'],
  ]);
  assert.deepEqual(kinds('{{notes}}'), [['value', '{{first_name}}']], 'a value is not rendered again');
  assert.deepEqual(kinds(''), []);
});

test('A rendered text, the impact of a deploy and the check of a deploy agree on every placeholder', () => {
  const texts = [
    'Dear {{ last_name }, hello {{email}} {first_name} {{first name}} {{{id}}} {{',
    '{{#if company}}{{company}}{{/if}} {{Contact.email}} {{}} {{tags}}{{tags}}',
    '{"user": {"name": {"x": 1}}} {name} {0} {} }} {{ city',
  ];
  const all = Object.fromEntries(contactVariables.map((name) => [name, `<${name}>`]));
  for (const text of texts) {
    const parts = renderParts(text, all);
    const of = (kind: string) => parts.filter((part) => part.kind === kind);
    const values = of('value').map((part) => part.text.slice(1, -1));
    assert.deepEqual([...new Set(values)], variablesIn(text), text);
    assert.deepEqual([...new Set(of('unknown').map((part) => part.text))], unknownIn(text), text);
    const empty = renderParts(text, {});
    assert.equal(empty.map((part) => part.text).join(''), text, 'no character is lost');
  }
});

test('A text of nothing but braces is parsed quickly', () => {
  for (const part of ['{', '{{', '{{ ', '{{a', '{{a}', '{a ', '}']) {
    const began = performance.now();
    unknownVariablesIn(part.repeat(50_000 / part.length));
    assert.ok(performance.now() - began < 2_000, part);
  }
});

const rendered = (text: string, values: Record<string, string>, names = namesWith(['plan'], ['slot'])) =>
  render(parseTemplate(text), (name) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''), names);

test('Fields and declared variables are known, and mistyped names of them are found', () => {
  const names = namesWith(['plan', 'renewal_date'], ['slot']);
  const text =
    '{{plan}} {{ fields.plan | basic }} {{slot|}} {{fields.slot}} {{plna|x}} {plan} {fields.plan}} {{pla}';
  assert.deepEqual(variablesIn(text, names), ['plan', 'fields.plan', 'slot']);
  const unknown = unknownVariablesIn(text, names);
  assert.deepEqual(
    unknown.map(({ placeholder, name }) => [placeholder, suggestionFor(name, names)]),
    [
      ['{{fields.slot}}', undefined],
      ['{{plna|x}}', 'plan'],
      ['{plan}', 'plan'],
      ['{fields.plan}}', 'fields.plan'],
      ['{{pla}', 'plan'],
    ],
  );
  assert.equal(suggestionFor('Field.plan', names), 'fields.plan');
  assert.equal(suggestionFor('renewal', names), 'renewal_date');
});

test('A fallback replaces a variable without a value, also an empty fallback, and never an unknown variable', () => {
  const cases: [string, string, string[]][] = [
    ['Hi {{first_name|there}}!', 'Hi there!', []],
    ['Hi {{ first_name | my friend }}!', 'Hi my friend!', []],
    ['Hi{{first_name|}}!', 'Hi!', []],
    ['Hi {{first_name|a|b}}!', 'Hi a|b!', []],
    ['Hi {{first_name}} {{slot}} {{first_name}}!', 'Hi   !', ['first_name', 'slot']],
    ['Hi {{first_name|x}}{{first_name}}!', 'Hi x!', ['first_name']],
    ['Hi {{name|there}}!', 'Hi {{name|there}}!', []],
    ['Hi {first_name} {{first_name} {{first_name', 'Hi {first_name} {{first_name} {{first_name', []],
  ];
  for (const [text, expected, holes] of cases)
    assert.deepEqual(rendered(text, {}), { text: expected, used: {}, holes }, text);
});

test('Four braces are two, and what follows them is ordinary text', () => {
  assert.equal(rendered('{{{{first_name}}', { first_name: 'Ada' }).text, '{{first_name}}');
  assert.equal(rendered('{{{{}}{{first_name}}', { first_name: 'Ada' }).text, '{{}}Ada');
  assert.deepEqual(unknownVariablesIn('{{{{nmae}} {{{{'), []);
  assert.deepEqual([...namesIn(parseTemplate('{{{{a}} {{b}} {{ c|x }} {d}'))], ['b', 'c']);
});

test('A value is inserted as it is, and never parsed', () => {
  const naughty = [
    '{{notes}}',
    '{{',
    '}}',
    '{{{{',
    '$&',
    "$'",
    '$1',
    '\\',
    '\u202e',
    '😀',
    'a\r\nb',
    '|',
    '{{first_name|x}}',
  ];
  for (const value of naughty) {
    const { text, used, holes } = rendered('<{{first_name}}{{last_name}}>', {
      first_name: value,
      last_name: '}}',
    });
    assert.deepEqual(
      { text, used, holes },
      { text: `<${value}}}>`, used: { first_name: value, last_name: '}}' }, holes: [] },
    );
  }
});

/** A second implementation of docs/variables.md, which reads the text once from left to right. */
const plainRender = (text: string, values: Record<string, string>, names: ReadonlySet<string>) => {
  const used: Record<string, string> = {};
  const holes: string[] = [];
  let out = '';
  for (let at = 0; at < text.length; ) {
    if (text.startsWith('{{{{', at)) {
      out += '{{';
      at += 4;
      continue;
    }
    let end = at + 2;
    while (end < text.length && text[end] !== '{' && text[end] !== '}') end++;
    const isPlaceholder = text.startsWith('{{', at) && text.startsWith('}}', end);
    const content = text.slice(at + 2, end);
    const bar = content.indexOf('|');
    const name = (bar < 0 ? content : content.slice(0, bar)).trim();
    if (!isPlaceholder || !names.has(name)) {
      out += text[at++];
      continue;
    }
    at = end + 2;
    if (values[name]) {
      out += values[name];
      used[name] = values[name];
    } else if (bar >= 0) out += content.slice(bar + 1).trim();
    else if (!holes.includes(name)) holes.push(name);
  }
  return { text: out, used, holes };
};

test('Random texts are rendered as by a second implementation', () => {
  const names = namesWith(['plan'], ['slot']);
  const tokens =
    '{ { {{ {{ {{ }} }} }} } | | {{{{ first_name last_name plan fields.plan slot nmae x . $& \\ é 😀'.split(
      ' ',
    );
  tokens.push('{{first_name}}', '{{ slot', '{{plan|', 'fields.plan }}', ' ', '\n', '\t', '\u00a0');
  const some = ['', '', 'Ada', '{{plan}}', '{{', '}}', '$&', '{{{{', '|', '\\'];
  let state = 1;
  const random = (below: number) => {
    state = (Math.imul(state, 48271) >>> 0) % 2147483647;
    return state % below;
  };
  const one = <T>(list: readonly T[]) => list[random(list.length)] as T;
  let placeholders = 0;
  for (let round = 0; round < 30_000; round++) {
    const text = Array.from({ length: random(14) }, () => one(tokens)).join('');
    const values = Object.fromEntries(
      ['first_name', 'plan', 'fields.plan', 'slot'].map((name) => [name, one(some)]),
    );
    const result = rendered(text, values, names);
    assert.deepEqual(result, plainRender(text, values, names), JSON.stringify({ text, values }));
    placeholders += Object.keys(result.used).length + result.holes.length;
  }
  assert.ok(placeholders > 2_000, `${placeholders} placeholders`);
});
