import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { canonicalHash, canonicalJson } from './canonical-json.ts';
import { memberText, withMember } from './json.ts';

const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
/** A text of a JSON value, with spaces and escapes that JSON.stringify does not write. */
const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      '1.0',
      '1e3',
      '-0',
      '1E+2',
      'true',
      'null',
      '"\\u0061\\/\\"{[,:}]"',
      '""',
      '{}',
      '[ ]',
      '{ }',
    ),
    fc.string().map((text) => JSON.stringify(text)),
    fc
      .tuple(
        space,
        fc.array(
          fc.tuple(space, tie('value'), space).map((parts) => parts.join('')),
          { maxLength: 4 },
        ),
      )
      .map(([gap, items]) => (items.length > 0 ? `[${items.join(',')}]` : `[${gap}]`)),
    fc
      .tuple(
        space,
        fc.uniqueArray(fc.string(), { maxLength: 4 }),
        fc.array(tie('value'), { minLength: 4, maxLength: 4 }),
      )
      .map(
        ([gap, names, values]) =>
          `{${names.map((name, at) => `${gap}${JSON.stringify(name)}${gap}:${gap}${values[at]}`).join(',')}${gap}}`,
      ),
  ),
})).value;

describe('Members of JSON as they were sent', () => {
  it('A member is returned as it was sent, wherever it is', () => {
    const others = fc.uniqueArray(
      fc.string().filter((name) => name !== 'config'),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(jsonText, others, jsonText, space, fc.nat(3), (text, names, other, gap, position) => {
        const name = fc.sample(fc.constantFrom('"config"', '"\\u0063onfig"'), 1)[0];
        const members = names.map((each) => `${gap}${JSON.stringify(each)}${gap}:${other}`);
        members.splice(Math.min(position, members.length), 0, `${gap}${name}${gap}:${gap}${text}${gap}`);
        const body = `${gap}{${members.join(',')}}${gap}`;
        assert.equal(memberText(body, 'config'), text);
        assert.deepEqual(JSON.parse(memberText(body, 'config') ?? ''), JSON.parse(body).config);
      }),
      { numRuns: 2_000 },
    );
  });

  it('Only members at the top count', () => {
    assert.equal(memberText('{"a":{"config":1},"b":["config",{"config":2}]}', 'config'), undefined);
    assert.equal(memberText('{ }', 'config'), undefined);
    assert.equal(
      memberText('{"a":"{\\"config\\":1}","config" :\n{ "10":1.0, "9":1e3 } }', 'config'),
      '{ "10":1.0, "9":1e3 }',
    );
  });

  it('A member that was appended is found again', () => {
    fc.assert(
      fc.property(jsonText, (text) => assert.equal(memberText(withMember('{"a":1}', 'b', text), 'b'), text)),
    );
  });
});

describe('Canonical JSON', () => {
  it('It has the example of RFC 8785', () => {
    const sent = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`;
    const canonical = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`;
    assert.equal(canonicalJson(JSON.parse(sent)), canonical);
    assert.equal(canonicalHash(JSON.parse(sent)), hash('sha256', canonical));
  });

  it('Names are in the order of their UTF-16 code units', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\x80', 'ö', '10', '9'];
    const sorted = JSON.parse(
      `[${canonicalJson(Object.fromEntries(names.map((name) => [name, 0])))
        .slice(1, -1)
        .replaceAll(':0', '')}]`,
    );
    assert.deepEqual(sorted, ['\r', '1', '10', '9', '\x80', 'ö', '\u20ac', '\u{1f600}', '\ufb33']);
  });

  it('It depends neither on spaces nor on the order of members, and parses to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        const reversed = JSON.parse(JSON.stringify(plain), (_, each) =>
          each && typeof each === 'object' && !Array.isArray(each)
            ? Object.fromEntries(Object.entries(each).reverse())
            : each,
        );
        assert.equal(canonicalJson(reversed), canonicalJson(plain));
        assert.deepEqual(JSON.parse(canonicalJson(plain)), plain);
      }),
    );
  });
});
