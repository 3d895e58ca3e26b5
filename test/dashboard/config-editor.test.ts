import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ApiError } from '../../dashboard/src/api/api-error.ts';
import { jsonDifferences } from '../../dashboard/src/lib/differences.ts';
import { memberText, pathText, pointerTo } from '../../dashboard/src/lib/json-text.ts';
import { formatted } from '../../dashboard/src/pages/agents/config/format.ts';
import { problemsIn } from '../../dashboard/src/pages/agents/config/problems.ts';
import { reportedProblems } from '../../dashboard/src/pages/agents/config/reported.ts';
import { caretAt, mistakeIn, namesAround, rangeOf } from '../../dashboard/src/pages/agents/config/scan.ts';
import { emptyValue, propertiesAt, valuesAt } from '../../dashboard/src/pages/agents/config/schema.ts';

const SCHEMA = {
  type: 'object',
  required: ['model'],
  additionalProperties: false,
  properties: {
    voice: { enum: ['alto', 'bass'], description: 'Who speaks' },
    model: { $ref: '#/$defs/model' },
    tools: { type: 'array', items: { oneOf: [{ properties: { name: { type: 'string' } } }] } },
    headers: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
  },
  $defs: {
    model: {
      type: 'object',
      properties: { temperature: { type: 'number', default: 0.5 }, stream: { type: 'boolean' } },
    },
    loop: { allOf: [{ $ref: '#/$defs/loop' }] },
  },
};

/** The text without the mark, and where the mark `|` was. */
const marked = (text: string): [text: string, position: number] => [text.replace('|', ''), text.indexOf('|')];
const caretIn = (text: string) => {
  const caret = caretAt(...marked(text));
  return caret && `${caret.kind} /${caret.path.join('/')}`;
};

it("A member's text is found as it is written, also if strings look like JSON", () => {
  const config = '{ "a" : 1.0,\n "b": [{"config": 2}], "a": "}\\"" }';
  const response = `{"success":true,"data":{"id":"config","config":${config},"z":1}}`;
  assert.equal(memberText(memberText(response, 'data') ?? '', 'config'), config);
  assert.equal(memberText('{"x":"config","config":5}', 'config'), '5');
  assert.equal(memberText('{"a":1}', 'b'), undefined);
});

it('The first mistake of a text is found where it is, and JSON objects have none', () => {
  const mistakes = {
    '': 'object',
    '[]': 'object',
    '{"a":1,}': 'name',
    '{"a" 1}': 'colon',
    '{"a","b":1}': 'colon',
    '{"a":}': 'value',
    '{"a":1 "b":2}': 'comma',
    '{"a":tru}': 'literal',
    '{"a":01}': 'literal',
    '{"a":"\\q"}': 'literal',
    '{"a":"x': 'quote',
    '{"a":1': 'close',
    '{a:1}': 'name',
    '{"a":1}x': 'end',
    '{"a":1,"a":2}': 'repeated',
    '{"a":[1,]}': 'value',
    '{"a":1]': 'value',
  };
  for (const [text, kind] of Object.entries(mistakes)) assert.equal(mistakeIn(text)?.kind, kind, text);
  for (const text of ['{}', ' {"a":[{},[]],"b":null,"c":-1.5e3} ', '{"a":{}}'])
    assert.equal(mistakeIn(text), undefined, text);
  assert.deepEqual(mistakeIn('{"a":1, "b" 2}'), { kind: 'colon', from: 12, to: 13 });
});

it('The caret is at a name or a value of a path, also while the JSON is incomplete', () => {
  assert.equal(caretIn('{ | }'), 'name /');
  assert.equal(caretIn('{"model": {"te|"}}'), 'name /model');
  assert.equal(caretIn('{"model": {"a": 1 "te|'), 'name /model');
  assert.equal(caretIn('{"voice": |'), 'value /voice');
  assert.equal(caretIn('{"voice": "al|'), 'value /voice');
  assert.equal(caretIn('{"tools": [{}, {"name": |}]}'), 'value /tools/1/name');
  assert.equal(caretIn('{"voice": "alto"|'), undefined, 'behind a value');
  assert.equal(caretIn('|'), undefined, 'outside of the object');
  const [text, position] = marked('{"model": {"a": 1, "|", "b": {"c": 1}}, "d": 1}');
  const caret = caretAt(text, position);
  assert.deepEqual([...namesAround(text, caret as NonNullable<typeof caret>)], ['a', 'b']);
});

it('A JSON Pointer is where its value is, or where the object is that should have it', () => {
  const text = '{"model": {"na/me": "x"}, "tools": [{"n": 1}]}';
  const at = (pointer: string) => {
    const { from, to } = rangeOf(text, pointer);
    return text.slice(from, to);
  };
  assert.equal(at('/model/na~1me'), '"x"');
  assert.equal(at('/tools/0/n'), '1');
  assert.equal(at('/tools/4/n'), '[');
  assert.equal(at(''), '{');
  assert.equal(pathText('/tools/0/na~1me/ok'), 'tools[0]["na/me"].ok');
});

it('A schema offers names and values through references, alternatives and other properties', () => {
  const names = (...path: (string | number)[]) => propertiesAt(SCHEMA, path).map(({ name }) => name);
  const values = (...path: (string | number)[]) => valuesAt(SCHEMA, path).map(({ json }) => json);
  assert.deepEqual(names(), ['model', 'voice', 'tools', 'headers'], 'required ones first');
  assert.deepEqual(names('model'), ['temperature', 'stream']);
  assert.deepEqual(names('tools', 7), ['name']);
  assert.deepEqual(values('voice'), ['"alto"', '"bass"']);
  assert.deepEqual(valuesAt(SCHEMA, ['model', 'temperature']), [{ json: '0.5', isDefault: true }]);
  assert.deepEqual(values('model', 'stream'), ['true', 'false']);
  assert.deepEqual(values('headers', 'x'), ['null']);
  assert.deepEqual(propertiesAt({ $ref: '#/$defs/loop', ...SCHEMA }, ['none']), [], 'a circle ends');
  assert.equal(propertiesAt(SCHEMA, []).find(({ name }) => name === 'voice')?.description, 'Who speaks');
  assert.deepEqual(emptyValue(['object']), ['{}', 1]);
  assert.deepEqual(emptyValue(['object', 'null']), ['', 0]);
});

it('Problems name paths: a mistake first, then what the service and the schema say', () => {
  const of = (text: string, reported: Parameters<typeof problemsIn>[2] = []) =>
    problemsIn(text, SCHEMA, reported).map(({ path, line, message }) => `${path ?? line} ${message}`);
  assert.deepEqual(of('{\n"voice": }'), ['2 A value is missing here.']);
  assert.deepEqual(of('{"voice": "tenor", "x": 1, "model": {"temperature": "hot"}}'), [
    'voice This must be one of ["alto","bass"].',
    'x The schema does not allow this.',
    'model.temperature This must be of the type number.',
  ]);
  assert.deepEqual(of('{}'), [' The property model is missing.']);
  assert.deepEqual(of('{"model": {}}', [{ pointer: '/model', message: 'Looks like a credential.' }]), [
    'model Looks like a credential.',
  ]);
  assert.deepEqual(of('{"model": {}}'), []);
});

it('A problem is found at its place, whatever characters its path has', () => {
  for (const name of ['größe', 'a b#c%23', '100 %', 'a/b~c', '日本']) {
    const text = JSON.stringify({ first: 1, [name]: { deep: 'x' } });
    const from = text.indexOf('"x"');
    const schema = { properties: { [name]: { properties: { deep: { type: 'number' } } } } };
    const field = `config${pointerTo(pointerTo('', name), 'deep')}`;
    const refusal = new ApiError('VALIDATION_ERROR', 'No.', [{ field, message: 'must be number.' }]);
    const reported = reportedProblems(refusal, 'config');
    for (const [problem] of [problemsIn(text, schema, []), problemsIn(text, undefined, reported)])
      assert.deepEqual([problem?.from, problem?.to], [from, from + 3], name);
  }
});

it('Formatting changes spaces and nothing else', () => {
  const text = '{"a":1.0,"b":[],"c":{},"d":[1e2,{"x":"y,z"}],"a":2}';
  const pretty = formatted(text);
  assert.equal(
    pretty,
    '{\n  "a": 1.0,\n  "b": [],\n  "c": {},\n  "d": [\n    1e2,\n    {\n      "x": "y,z"\n    }\n  ],\n  "a": 2\n}',
  );
  assert.equal(pretty.replace(/\s/g, ''), text);
  assert.equal(formatted(pretty), pretty);
});

it('Configurations differ by the paths of their members, not by their form', () => {
  assert.deepEqual(jsonDifferences('{"a":1,"b":[1,2],"c":{}}', '{ "a": 1.0, "b": [1, 3, 4], "d/e": {} }'), [
    { path: '/b/1', change: 'changed', before: 2, after: 3 },
    { path: '/b/2', change: 'added', after: 4 },
    { path: '/c', change: 'removed', before: {} },
    { path: '/d~1e', change: 'added', after: {} },
  ]);
  assert.deepEqual(jsonDifferences('{"a":[1]}', '{"a":{"0":1}}'), [
    { path: '/a', change: 'changed', before: [1], after: { 0: 1 } },
  ]);
  assert.deepEqual(jsonDifferences('{}', ' {} '), []);
  assert.equal(jsonDifferences('{}', '{'), undefined);
});
