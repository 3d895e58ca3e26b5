import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as library from 'libphonenumber-js/min';
import { ASK_COUNTRY, isNational, readNumber } from '../../dashboard/src/ui/phone-number.ts';

const read = (typed: string, country?: string) => readNumber(library, typed, country);

it('A typed number with a country code is read without a country, also with 00 instead of +', () => {
  for (const typed of ['+1 202 555 0101', '0012025550101', ' +1 (202) 555-0101'])
    assert.equal(read(typed).number, '+12025550101', typed);
});

it('A typed number without a country code is read only in a country that was selected', () => {
  assert.deepEqual(read('(202) 555-0101'), { shown: '(202) 555-0101', number: '', problem: ASK_COUNTRY });
  assert.deepEqual(read('2025550101', 'US'), { shown: '(202) 555-0101', number: '+12025550101' });
  assert.deepEqual(
    [isNational('202'), isNational('+1'), isNational('001'), isNational('x')],
    [true, false, false, false],
  );
});

it('A number that is empty has no problem, and one that is too short, too long or no number has one', () => {
  assert.deepEqual(read(' '), { shown: '', number: '' });
  for (const typed of ['+1202', `+1202555010${'1'.repeat(9)}`, 'Ada', '+999 1234567'])
    assert.ok(read(typed).problem && read(typed).number === '', typed);
});

it('Before the library is loaded, only a number with a country code has a value', () => {
  assert.equal(readNumber(undefined, '+1 202-555-0101', null).number, '+12025550101');
  assert.equal(readNumber(undefined, '2025550101', 'US').number, '');
});
