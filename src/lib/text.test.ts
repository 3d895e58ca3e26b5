import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countCharacters, fold, isLongerThan, isStorable } from './text.ts';

test('Characters are code points', () => {
  for (const [text, count] of [
    ['', 0],
    ['abc', 3],
    ['e\u0301', 2],
    ['語', 1],
    ['😀', 1],
    ['👩🏽‍🚀', 4],
    ['a\ud83d', 2],
  ] as const) {
    assert.equal(countCharacters(text), count, text);
  }
});

test('The length of a text is counted in characters, not bytes or code units', () => {
  for (const character of ['a', 'é', '語', '😀']) {
    for (const max of [0, 1, 2, 63, 64]) {
      assert.equal(isLongerThan(character.repeat(max), max), false, `${character} × ${max}`);
      assert.equal(isLongerThan(character.repeat(max + 1), max), true, `${character} × ${max + 1}`);
    }
  }
  assert.equal(isLongerThan(`${'😀'.repeat(9)}a`, 10), false);
  assert.equal(isLongerThan(`${'😀'.repeat(10)}a`, 10), true);
  assert.equal(isLongerThan('a'.repeat(1000), Number.POSITIVE_INFINITY), false);
});

test('Only U+0000 and lone surrogates cannot be stored', () => {
  for (const text of ['\0', 'a\0b', '\ud83d', '\ude00', '\ude00\ud83d', 'a\ud83db', '😀\ud83d']) {
    assert.equal(isStorable(text), false, JSON.stringify(text));
  }
  for (const text of ['', 'a', '😀', '\u0001\u001f\u007f', '\uffff\u{10ffff}', '\ufeff\u2028']) {
    assert.equal(isStorable(text), true, JSON.stringify(text));
  }
});

test('Folding removes case, accents and variants', () => {
  for (const [text, folded] of [
    ['', ''],
    ['ADA lovelace 7', 'ada lovelace 7'],
    ['É é E\u0301 è Ê ë', 'e e e e e e'],
    ['Ångström Å', 'angstrom a'],
    ['Straße GROẞ', 'strasse gross'],
    ['Søren ŁÓDŹ Đặng', 'soren lodz dang'],
    ['Þórður Ħ', 'thordur h'],
    ['Æther Œuvre', 'aether oeuvre'],
    ['İIıi', 'iiii'],
    ['ΣΟΦΟΣ σοφός', 'σοφοσ σοφοσ'],
    ['ＡＢＣ ﬁ ²', 'abc fi 2'],
    ['한국 ガ', '한국 ガ'],
    ['\u1112\u1161\u11ab', '한'],
    ['😀 שלום', '😀 שלום'],
    ['%_\\"\'*', '%_\\"\'*'],
  ] as const) {
    assert.equal(fold(text), folded);
    assert.equal(fold(folded), folded, 'a folded text stays as it is');
  }
});

test('A letter with many combining marks folds in linear time, to at most 30 of them', () => {
  const cpu = process.cpuUsage();
  // Marks of two classes in the wrong order: normalization alone takes minutes to sort them.
  assert.equal(fold(`a${'\u0345'.repeat(200_000)}${'\u0334'.repeat(200_000)}b`), 'ab');
  assert.equal(fold(`a${'\u1dc4'.repeat(200_000)}${'\u20d2'.repeat(200_000)}b`), `a${'\u1dc4'.repeat(30)}b`);
  assert.ok(process.cpuUsage(cpu).user < 5_000_000);
});

test('A text folds the same with composed and decomposed accents', () => {
  for (const text of ['Đặng Thị Ngọc', 'José Núñez', 'Ὀδυσσεύς', 'Ёлкин', 'ガーデン', '한국어']) {
    assert.equal(fold(text.normalize('NFD')), fold(text.normalize('NFC')));
  }
});
