import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newUuid, parseUuid, typeId } from './ids.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** From the examples of the TypeID specification. */
const examples = [
  ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
  ['00000000-0000-0000-0000-000000000001', '00000000000000000000000001'],
  ['00000000-0000-0000-0000-00000000000a', '0000000000000000000000000a'],
  ['00000000-0000-0000-0000-000000000010', '0000000000000000000000000g'],
  ['00000000-0000-0000-0000-000000000020', '00000000000000000000000010'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ['0110c853-1d09-52d8-d73e-1194e95b5f19', '0123456789abcdefghjkmnpqrs'],
  ['01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'],
] as const;

test('A UUID is recognized in either case and returned in lower case', () => {
  const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
  assert.equal(parseUuid(uuid), uuid);
  assert.equal(parseUuid(uuid.toUpperCase()), uuid);
  for (const text of [
    '',
    uuid.replaceAll('-', ''),
    `{${uuid}}`,
    ` ${uuid}`,
    `${uuid}\n`,
    `${uuid}0`,
    uuid.slice(1),
  ]) {
    assert.equal(parseUuid(text), undefined, JSON.stringify(text));
  }
});

test('New UUIDs are of version 7, distinct and in order of time', async () => {
  const made = Array.from({ length: 1000 }, newUuid);
  for (const uuid of made) assert.match(uuid, UUID_V7);
  assert.equal(new Set(made).size, 1000);
  await new Promise((resolve) => setTimeout(resolve, 2));
  assert.ok(newUuid() > (made.at(-1) as string));
});

test('A TypeID encodes a UUID as its specification says', () => {
  const { parse } = typeId('contact');
  for (const [uuid, digits] of examples) {
    assert.equal(parse(uuid), `contact_${digits}`);
    assert.equal(parse(uuid.toUpperCase()), `contact_${digits}`);
    assert.equal(parse(`contact_${digits}`), `contact_${digits}`);
  }
});

test('A new TypeID is its prefix and a UUID of version 7', async () => {
  const { create, parse } = typeId('key');
  const made = create();
  assert.match(made, /^key_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  assert.equal(parse(made), made);
  // Bits 76 to 79 are the version, those from 80 on the time in milliseconds.
  const digits = made.slice('key_'.length);
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  let bits = 0n;
  for (const digit of digits) bits = bits * 32n + BigInt(alphabet.indexOf(digit));
  assert.equal((bits >> 76n) & 15n, 7n);
  const age = Date.now() - Number(bits >> 80n);
  assert.ok(age >= 0 && age < 5_000, `${age}`);
  await new Promise((resolve) => setTimeout(resolve, 2));
  assert.ok(create() > made);
});

test('Text that is not an id gives undefined', () => {
  const { parse } = typeId('contact');
  for (const text of [
    '',
    'contact_',
    'contact',
    '01h455vb4pex5vsknk084sn02q',
    'agent_01h455vb4pex5vsknk084sn02q',
    'Contact_01h455vb4pex5vsknk084sn02q',
    'contact_01H455VB4PEX5VSKNK084SN02Q',
    'contact_81h455vb4pex5vsknk084sn02q',
    'contact_01h455vb4pex5vsknk084sn02',
    'contact_01h455vb4pex5vsknk084sn02q0',
    'contact_01h455vb4pex5vsknk084sn02i',
    'contact_01h455vb4pex5vsknk084sn02l',
    'contact_01h455vb4pex5vsknk084sn02o',
    'contact_01h455vb4pex5vsknk084sn02u',
    'contact_01h455vb4pex5vsknk084sn02q\n',
    'contact__01h455vb4pex5vsknk084sn02q',
  ]) {
    assert.equal(parse(text), undefined, JSON.stringify(text));
  }
});
