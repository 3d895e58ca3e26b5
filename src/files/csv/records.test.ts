import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/kit/any-character.ts';
import { decodeText } from './decode.ts';
import { type Delimiter, delimiters } from './limits.ts';
import { type CsvRecord, RecordParser } from './parser.ts';
import { FileProblem } from './problem.ts';
import { readRecords } from './records.ts';
import { csvLine, unescapeCell } from './write.ts';

/** The records of a text that is cut at some places. */
const parse = (text: string, cuts: number[] = [], delimiter: Delimiter = ','): CsvRecord[] => {
  const parser = new RecordParser(delimiter);
  const records: CsvRecord[] = [];
  const places = [0, ...cuts, text.length];
  for (let i = 1; i < places.length; i++) parser.push(text.slice(places[i - 1], places[i]), records);
  parser.end(records);
  return records;
};

/** Checks a text in one piece, cut in two at every place, and character by character. */
const everyCut = (text: string, check: (records: CsvRecord[]) => void, delimiter: Delimiter = ',') => {
  for (let cut = 0; cut <= text.length; cut++) check(parse(text, [cut], delimiter));
  check(
    parse(
      text,
      Array.from({ length: text.length }, (_, i) => i),
      delimiter,
    ),
  );
};

const problemOf = (run: () => unknown): FileProblem => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof FileProblem, String(error));
    return error;
  }
  return assert.fail('the text was read');
};

test('Records are read with their line numbers, wherever the text is split', () => {
  const cases: [string, [number, ...string[]][]][] = [
    ['', []],
    ['a', [[1, 'a']]],
    ['a,b\nc,d', [[1, 'a', 'b'], [2, 'c', 'd']]],
    ['a,b\r\nc,d\r\n', [[1, 'a', 'b'], [2, 'c', 'd']]],
    ['a\rb\r\nc\nd\r', [[1, 'a'], [2, 'b'], [3, 'c'], [4, 'd']]],
    ['\n\r\n\ra\n\n\r\rb', [[4, 'a'], [8, 'b']]],
    [',\n,,', [[1, '', ''], [2, '', '', '']]],
    [' a , b\t', [[1, ' a ', ' b\t']]],
    ['"a","b"', [[1, 'a', 'b']]],
    ['"",""\n""', [[1, '', ''], [2, '']]],
    ['"a,b","c""d",""""', [[1, 'a,b', 'c"d', '"']]],
    ['"a\nb\r\nc\rd",e\nf', [[1, 'a\nb\r\nc\rd', 'e'], [5, 'f']]],
    ['a,"b\n\n",c,"\r\n"\r\nd', [[1, 'a', 'b\n\n', 'c', '\r\n'], [5, 'd']]],
    ['5" pipe,a"b"\nc', [[1, '5" pipe', 'a"b"'], [2, 'c']]],
    [' "a"\nb', [[1, ' "a"'], [2, 'b']]],
    ['"a"\r"b"\n"c"\r\n"d"', [[1, 'a'], [2, 'b'], [3, 'c'], [4, 'd']]],
    ['"a",\n,"b"', [[1, 'a', ''], [2, '', 'b']]],
    ['😀,"語\n😀"\né', [[1, '😀', '語\n😀'], [3, 'é']]],
  ]; // biome-ignore format: a table
  for (const [text, expected] of cases) {
    const records = expected.map(([line, ...cells]) => ({ line, cells }));
    everyCut(text, (read) => assert.deepEqual(read, records, JSON.stringify(text)));
  }
});

test('Only the given delimiter separates cells', () => {
  for (const delimiter of delimiters) {
    const others = delimiters.filter((each) => each !== delimiter).join('');
    const text = `a${others}${delimiter}"b${delimiter}"\n${others}`;
    everyCut(
      text,
      (read) =>
        assert.deepEqual(
          read.map(({ cells }) => cells),
          [[`a${others}`, `b${delimiter}`], [others]],
        ),
      delimiter,
    );
  }
});

test('Written records are read back, whatever they contain and wherever they are split', () => {
  const cell = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 8 }),
    fc.string({
      unit: fc.constantFrom('"', ',', ';', '\t', '|', '\r', '\n', "'", '=', '+', '1', 'a', ' '),
      maxLength: 8,
    }),
  );
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 6 });
  const cuts = fc.array(fc.nat(200), { maxLength: 6 }).map((each) => each.sort((a, b) => a - b));
  fc.assert(
    fc.property(rows, fc.constantFrom(...delimiters), cuts, (table, delimiter, places) => {
      const text = table.map((row) => csvLine(row, delimiter)).join('');
      const within = places.filter((place) => place <= text.length);
      const read = parse(text, within, delimiter);
      assert.deepEqual(
        read.map(({ cells }) => cells.map(unescapeCell)),
        table,
      );
      const lines = table.map((_, i) =>
        lineAfter(
          table
            .slice(0, i)
            .map((row) => csvLine(row, delimiter))
            .join(''),
        ),
      );
      assert.deepEqual(
        read.map(({ line }) => line),
        lines,
      );
    }),
    { numRuns: 2_000 },
  );
});

const lineAfter = (before: string): number => before.split(/\r\n|\r|\n/).length;

test('A broken quote is reported with its line number', () => {
  const cases: [string, number, RegExp][] = [
    ['a\n"b', 2, /quote that is never closed/],
    ['a\n"b\n\nc', 2, /quote that is never closed/],
    ['"a\nb",c,"d\ne', 2, /quote that is never closed/],
    ['"a""', 1, /quote that is never closed/],
    ['a,b\r\nc,"', 2, /quote that is never closed/],
    ['a\n\n"b"c', 3, /text after a closing quote/],
    ['"a" ,b', 1, /text after a closing quote/],
    ['"a\r\nb" c\n', 2, /text after a closing quote/],
  ];
  for (const [text, line, reason] of cases) {
    for (let cut = 0; cut <= text.length; cut++) {
      const problem = problemOf(() => parse(text, [cut]));
      assert.equal(problem.line, line, JSON.stringify(text));
      assert.match(problem.reason, reason);
      assert.equal(problem.message, `Line ${line}: ${problem.reason}`);
    }
  }
});

test('The records before a problem are returned', () => {
  const parser = new RecordParser(',');
  const records: CsvRecord[] = [];
  problemOf(() => parser.push('a\nb,"c"\n"d"e\nf\n', records));
  assert.deepEqual(records, [
    { line: 1, cells: ['a'] },
    { line: 2, cells: ['b', 'c'] },
  ]);
});

test('The limits of a record apply exactly, quoted or not', () => {
  const fits: string[] = [
    Array(200).fill('x').join(','),
    Array(200).fill('"x"').join(','),
    'x'.repeat(32_768),
    `"${'x'.repeat(32_768)}"`,
    `"${'""'.repeat(32_700)}"`,
    `${'x'.repeat(32_768)},${'y'.repeat(32_767)}`,
    `"${'x'.repeat(32_766)}",${'y'.repeat(32_767)}`,
  ];
  const breaks: [string, RegExp][] = [
    [Array(201).fill('x').join(','), /more than 200 columns/],
    [Array(201).fill('"x"').join(','), /more than 200 columns/],
    [','.repeat(1_000_000), /more than 200 columns/],
    ['x'.repeat(32_769), /a cell longer than 32,768/],
    [`"${'x'.repeat(32_769)}"`, /a cell longer than 32,768/],
    [`${'x'.repeat(32_768)},${'y'.repeat(32_768)}`, /a record longer than 65,536/],
    [`"${'x'.repeat(32_766)}",${'y'.repeat(32_768)}`, /a record longer than 65,536/],
    [`"${'x'.repeat(70_000)}"`, /quote that is not closed within 65,536/],
    [`"${'x\n'.repeat(70_000)}`, /quote that is not closed within 65,536/],
  ];
  for (const step of [1_000_000, 16_384, 10_007]) {
    for (const end of ['', '\n', '\r\n', '\r', '\nz']) {
      const cuts = (text: string) =>
        Array.from({ length: Math.floor(text.length / step) }, (_, i) => (i + 1) * step);
      for (const row of fits) {
        const text = `a\n${row}${end}`;
        const read = parse(text, cuts(text));
        assert.equal(read[1]?.line, 2);
        assert.equal(read.length, end === '\nz' ? 3 : 2);
      }
      for (const [row, reason] of breaks) {
        const text = `a\n${row}${end}`;
        const problem = problemOf(() => parse(text, cuts(text)));
        assert.equal(problem.line, 2);
        assert.match(problem.reason, reason);
      }
    }
  }
});

async function* times(count: number, chunk: string, given = { chunks: 0 }): AsyncGenerator<string> {
  for (let i = 0; i < count; i++) {
    given.chunks++;
    yield chunk;
  }
}

const collect = async (text: AsyncIterable<string>): Promise<CsvRecord[][]> => {
  const batches: CsvRecord[][] = [];
  for await (const batch of readRecords(text, ',')) batches.push(batch);
  return batches;
};

test('Records come in batches, whatever the chunk size', async () => {
  const text = Array.from({ length: 1_201 }, (_, i) => `${i},"x\ny"\n`).join('');
  for (const piece of [1, 7, 5_000, text.length]) {
    async function* cut() {
      for (let at = 0; at < text.length; at += piece) yield text.slice(at, at + piece);
    }
    const batches = await collect(cut());
    assert.deepEqual(
      batches.map(({ length }) => length),
      [...Array(24).fill(50), 1],
    );
    assert.deepEqual(
      batches.flat(),
      Array.from({ length: 1_201 }, (_, i) => ({ line: 2 * i + 1, cells: [`${i}`, 'x\ny'] })),
    );
  }
  assert.deepEqual(await collect(times(0, '')), []);
});

test('An endless line fails before much of it is read', async () => {
  for (const chunk of [
    'x'.repeat(65_536),
    '"x\n'.repeat(20_000),
    ','.repeat(65_536),
    `"${'y'.repeat(65_535)}`,
  ]) {
    const given = { chunks: 0 };
    await assert.rejects(collect(times(16_384, chunk, given)), FileProblem);
    assert.ok(given.chunks <= 3, `${given.chunks} chunks`);
  }
});

test('A long record in small chunks takes no longer than in large ones', async () => {
  const row = `"${'""'.repeat(30_000)}"\n`;
  async function* cut() {
    for (let i = 0; i < 3; i++) for (const character of row) yield character;
  }
  const start = process.cpuUsage();
  assert.equal((await collect(cut())).flat().length, 3);
  assert.ok(process.cpuUsage(start).user < 5_000_000);
});

test('Invalid bytes are reported with their line number', async () => {
  const lines = 'é,"x\ny"\r\n'.repeat(30_000);
  const cases: [Uint8Array, number][] = [
    [Buffer.from('a\nb,c\nd\0e\n'), 3],
    [Buffer.from('a\r\rb,"\n\0"'), 4],
    [Buffer.concat([Buffer.from(lines), Buffer.from([0x61, 0xe9, 0x0a])]), 60_001],
    [Buffer.concat([Buffer.from(lines), Buffer.from('\0')]), 60_001],
  ];
  for (const [bytes, line] of cases) {
    for (const size of [97, 1 << 16, 1 << 22]) {
      async function* cut() {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      }
      const { text } = await decodeText(cut());
      await assert.rejects(collect(text), (error) => error instanceof FileProblem && error.line === line);
    }
  }
});
