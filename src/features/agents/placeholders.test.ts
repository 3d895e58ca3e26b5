import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contactFields } from '../contacts/contact.schema.ts';
import {
  contactVariables,
  renderParts,
  suggestionFor,
  unknownVariablesIn,
  variablesIn,
} from './placeholders.ts';

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
