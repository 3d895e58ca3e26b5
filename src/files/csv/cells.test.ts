import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CellType, cellValue, guessType, NO_NOTATION, type Notation, notationOf } from './cells.ts';

const read = (
  type: CellType,
  cell: string,
  notation: Partial<Notation> = {},
  options: string[] | null = null,
) => {
  const value = cellValue(type, cell, {
    notation: { ...NO_NOTATION, ...notation },
    zone: 'Europe/Berlin',
    options,
  });
  return typeof value === 'object' ? 'ambiguous' : value;
};

const reads = (type: CellType, expected: Record<string, unknown>, notation: Partial<Notation> = {}) => {
  const found = Object.keys(expected).map((cell) => [cell, read(type, cell, notation)]);
  assert.deepEqual(Object.fromEntries(found), expected);
};

describe('Typed cells', () => {
  it('A number is read with thousands separators and with a decimal comma', () => {
    reads('number', {
      '12': 12,
      ' -12.5 ': -12.5,
      '+3': 3,
      '−4': -4,
      '.5': 0.5,
      '12,5': 12.5,
      '1,234,567': 1_234_567,
      '1.234.567': 1_234_567,
      '1,234.5': 1234.5,
      '1.234,56': 1234.56,
      '1 234,5': 1234.5,
      "1'234.50": 1234.5,
      '0.125': 0.125,
      '1234.567': 1234.567,
      '1e-7': 1e-7,
    });
  });

  it('A number that could be two is read only if the column shows which one it is', () => {
    reads('number', { '1.234': 'ambiguous', '1,234': 'ambiguous', '-12.345': 'ambiguous' });
    reads('number', { '1.234': 1234, '1,234': 1.234 }, { decimal: ',' });
    reads('number', { '1.234': 1.234, '1,234': 1234 }, { decimal: '.' });
    assert.equal(notationOf(['1.234', '800', '12,5']).decimal, ',');
    assert.equal(notationOf(['1.234', '12.5', '12,5']).decimal, null);
  });

  it('A text that is no number stays a text', () => {
    for (const text of ['', 'n/a', '1,23,456', '1.2.3', '12 €', '1 2', '--1', '1.234.56', 'Infinity', '0x10'])
      for (const decimal of ['.', ',', null] as const) assert.equal(read('number', text, { decimal }), text);
  });

  it('Booleans are words or digits', () => {
    reads('boolean', { Yes: true, ' no': false, TRUE: true, '0': false, Ja: true, maybe: 'maybe', '2': '2' });
  });

  it('A date has the year first, or an unambiguous order', () => {
    reads('date', {
      '2026-01-31': '2026-01-31',
      '2026/1/5': '2026-01-05',
      '31.12.2026': '2026-12-31',
      '5.6.2026': '2026-06-05',
      '31/12/2026': '2026-12-31',
      '12/31/2026': '2026-12-31',
      '05/05/2026': '2026-05-05',
      '05/06/2026': 'ambiguous',
      '2026-01-31 00:00:00': '2026-01-31',
      '2026-01-31 09:30': '2026-01-31 09:30',
      '31.12.26': '31.12.26',
    });
    reads('date', { '05/06/2026': '2026-06-05' }, { dates: 'dmy' });
    reads('date', { '05/06/2026': '2026-05-06' }, { dates: 'mdy' });
    assert.equal(notationOf(['05/06/2026', '31/01/2026']).dates, 'dmy');
    assert.equal(notationOf(['01/31/2026', '31/01/2026']).dates, null);
  });

  it('A time without an offset is local', () => {
    reads('datetime', {
      '2026-01-31T09:30:00Z': '2026-01-31T09:30:00Z',
      '2026-01-31 09:30': '2026-01-31T08:30:00.000Z',
      '31.07.2026 9:30': '2026-07-31T07:30:00.000Z',
      '2026-01-31': '2026-01-30T23:00:00.000Z',
      '2026-01-31 09:30:15+0200': '2026-01-31T09:30:15+02:00',
      '2026-02-31 09:30': '2026-02-31 09:30',
      '2026-01-31 25:00': '2026-01-31 25:00',
      soon: 'soon',
    });
  });

  it('An option is found without its case, and an exact one first', () => {
    assert.equal(read('enum', ' GOLD ', {}, ['silver', 'gold']), 'gold');
    assert.equal(read('enum', 'GOLD', {}, ['gold', 'GOLD']), 'GOLD');
    assert.equal(read('enum', 'bronze', {}, ['gold']), 'bronze');
  });
});

describe('The type of a column', () => {
  const types: [cells: string[], type: CellType][] = [
    [[], 'text'],
    [['yes', 'No', ''], 'boolean'],
    [['1', '0', '1'], 'boolean'],
    [['1', '1', '1'], 'number'],
    [['12', '1.234', '-0,5'], 'number'],
    [['007', '012', '100'], 'text'],
    [['12345678901234567', '12345678901234568'], 'text'],
    [['2026-01-31', '31.12.2026'], 'date'],
    [['05/06/2026', '07/08/2026'], 'date'],
    [['2026-01-31 10:00', '2026-02-01'], 'datetime'],
    [['https://example.com/a', 'http://example.com/b'], 'url'],
    [['Ada', 'Grace', 'Ada', 'Edsger'], 'text'],
    [['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'n/a'], 'number'],
  ];
  for (const [cells, type] of types)
    it(`Cells such as ${JSON.stringify(cells.slice(0, 3))} are ${type}`, () =>
      assert.equal(guessType(cells).type, type));

  it('A few values that repeat are the options of an enum', () => {
    assert.deepEqual(guessType(['gold', 'silver', 'gold', 'silver ', 'gold']), {
      type: 'enum',
      options: ['gold', 'silver'],
    });
  });

  it('Options that differ only in case are one, as cells are read, in the spelling that comes first', () => {
    assert.deepEqual(guessType(['gold', 'Silver', 'GOLD', 'silver', 'Gold']).options, ['gold', 'Silver']);
  });
});
