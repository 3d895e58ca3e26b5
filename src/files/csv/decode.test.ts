import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/kit/any-character.ts';
import { decodeText } from './decode.ts';
import type { Encoding } from './encoding.ts';
import { FileProblem } from './problem.ts';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const decode = async (bytes: Uint8Array, size = 65_536, chosen?: Encoding) => {
  const { file, text } = await decodeText(inChunks(bytes, size), chosen);
  let all = '';
  for await (const piece of text) all += piece;
  return { encoding: file.encoding, text: all };
};

/** What came before the problem, and the problem. */
const failure = async (bytes: Uint8Array, size = 65_536): Promise<{ before: string; reason: string }> => {
  let before = '';
  try {
    const { text } = await decodeText(inChunks(bytes, size));
    for await (const piece of text) before += piece;
  } catch (error) {
    assert.ok(error instanceof FileProblem);
    return { before, reason: error.reason };
  }
  return assert.fail('the file was read');
};

const big = (text: string) => Buffer.from(text, 'utf16le').swap16();
const MARK = '\ufeff';

test('Every encoding is detected by its first bytes', async () => {
  const text = 'Name;Phone\r\nZoë – 語 😀;+14155550100\r\n';
  const latin = Buffer.from('Name;Phone\r\nZo\xeb \x96 \x80;1\r\n', 'latin1');
  const cases: [Uint8Array, string, string][] = [
    [Buffer.from(text), 'utf-8', text],
    [Buffer.from(MARK + text), 'utf-8', text],
    [Buffer.from(MARK + text, 'utf16le'), 'utf-16le', text],
    [Buffer.from(text, 'utf16le'), 'utf-16le', text],
    [big(MARK + text), 'utf-16be', text],
    [big(text), 'utf-16be', text],
    [latin, 'windows-1252', 'Name;Phone\r\nZoë – €;1\r\n'],
    [Buffer.from('Jos\xe9', 'latin1'), 'windows-1252', 'José'],
    [Buffer.from('Name,Phone'), 'utf-8', 'Name,Phone'],
    [Buffer.alloc(0), 'utf-8', ''],
  ];
  for (const [bytes, encoding, expected] of cases) {
    for (const size of [1, 2, 3, 7, 65_536]) {
      assert.deepEqual(await decode(bytes, size), { encoding, text: expected }, `${encoding} by ${size}`);
    }
  }
});

test('A byte order mark is removed once, and a second one is text', async () => {
  for (const bytes of [
    Buffer.from(`${MARK}${MARK}a`),
    Buffer.from(`${MARK}${MARK}a`, 'utf16le'),
    big(`${MARK}${MARK}a`),
  ]) {
    assert.equal((await decode(bytes, 1)).text, `${MARK}a`);
  }
});

test('Any text is decoded in every encoding, wherever its bytes are split', async () => {
  const controls = /[^\P{Cc}\t\r\n]/gu;
  const text = fc.string({ unit: anyCharacter, maxLength: 60 }).map((each) => each.replace(controls, ''));
  const encodings = [
    (each: string) => Buffer.from(`Phone,Notes\r\n${each}`),
    (each: string) => Buffer.from(`${MARK}Phone,Notes\r\n${each}`),
    (each: string) => Buffer.from(`${MARK}Phone,Notes\r\n${each}`, 'utf16le'),
    (each: string) => Buffer.from(`Phone,Notes,First Name,Last Name\r\n${each}`, 'utf16le'),
    (each: string) => big(`${MARK}Phone,Notes\r\n${each}`),
    (each: string) => big(`Phone,Notes,First Name,Last Name\r\n${each}`),
  ];
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.constantFrom(...encodings),
      fc.integer({ min: 1, max: 40 }),
      async (body, encode, size) => {
        const decoded = await decode(encode(body), size);
        assert.equal(decoded.text.slice(decoded.text.indexOf('\n') + 1), body);
      },
    ),
    { numRuns: 500 },
  );
});

test('Any Windows-1252 text is decoded wherever its bytes are split', async () => {
  const bytes = fc.array(fc.integer({ min: 32, max: 255 }), { maxLength: 40 }).map((codes) =>
    // A letter that is followed by ASCII is never UTF-8.
    Buffer.from([0xe9, 0x2c, ...codes]),
  );
  const table = new TextDecoder('windows-1252');
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 1, max: 9 }), async (body, size) => {
      const decoded = await decode(body, size, 'windows-1252');
      assert.deepEqual(decoded, { encoding: 'windows-1252', text: table.decode(body) });
    }),
  );
});

test('A late non-ASCII letter decides between UTF-8 and Windows-1252', async () => {
  const start = 'a,b\r\n'.repeat(20_000);
  for (const size of [1000, 65_536, 1 << 20]) {
    const windows = await decode(
      Buffer.concat([Buffer.from(start), Buffer.from('Jos\xe9,M\xfc', 'latin1')]),
      size,
    );
    assert.equal(windows.text, `${start}José,Mü`);
    assert.equal((await decode(Buffer.from(`${start}José,Mü😀`), size)).text, `${start}José,Mü😀`);
    const last = await decode(Buffer.concat([Buffer.from(start), Buffer.from([0xe9])]), size);
    assert.equal(last.text, `${start}é`);
  }
});

test('The beginning of a UTF-8 file may end within a character', async () => {
  const bytes = Buffer.from(`${'a,b\r\n'.repeat(20)}José,Mü`);
  const { file } = await decodeText(inChunks(bytes.subarray(0, -1), 65_536));
  assert.deepEqual(file, { encoding: 'utf-8', source: 'detected' });
});

test('Bytes that are not UTF-8 after a mebibyte of ASCII are refused', async () => {
  const start = 'a,b\r\n'.repeat(220_000);
  const { before, reason } = await failure(Buffer.concat([Buffer.from(start), Buffer.from([0xe9, 0x2c])]));
  assert.equal(before, start);
  assert.match(reason, /not utf-8\. Choose the encoding/);
});

test('Invalid bytes after UTF-8 text end the stream at their position', async () => {
  const start = `é\n${'a,b\n'.repeat(20_000)}ü,`;
  for (const bad of [[0xe9], [0xe9, 0x2c], [0xc3], [0xf0, 0x9f, 0x98], [0x80], [0xed, 0xa0, 0x80]]) {
    for (const size of [4096, 65_536, 1 << 20]) {
      const { before, reason } = await failure(Buffer.concat([Buffer.from(start), Buffer.from(bad)]), size);
      assert.equal(before, start);
      assert.match(reason, /not utf-8/);
    }
  }
});

test('Invalid bytes end the stream at their position also after a replacement character of the file', async () => {
  const start = `a\ufffd\n${'é,\ufffd\n'.repeat(20_000)}`;
  for (const bad of [[0xe9, 0x2c], [0xef, 0x2c], [0xef, 0xbf, 0x2c], [0xf0, 0x9f, 0x98, 0x2c], [0x80]]) {
    const { before, reason } = await failure(Buffer.concat([Buffer.from(start), Buffer.from(bad)]));
    assert.equal(before, start);
    assert.match(reason, /not utf-8/);
  }
});

test('A file with a UTF-8 byte order mark is never read in another encoding', async () => {
  const { before, reason } = await failure(Buffer.from('\xef\xbb\xbfName\nJos\xe9\n', 'latin1'), 5);
  assert.equal(before, 'Name\nJos');
  assert.match(reason, /not utf-8/);
});

test('A replacement character in the file itself is text', async () => {
  assert.equal((await decode(Buffer.from('a\ufffdb,é'))).text, 'a\ufffdb,é');
});

test('A NUL character ends the stream at its position', async () => {
  for (const bytes of [
    Buffer.from('Phone,Name\n1,A\0da\n'),
    Buffer.from(`${MARK}Phone,Name\n1,A\0da\n`, 'utf16le'),
  ]) {
    for (const size of [1, 5, 65_536]) {
      const { before, reason } = await failure(bytes, size);
      assert.equal(before, 'Phone,Name\n1,A');
      assert.match(reason, /NUL/);
    }
  }
});

test('One NUL character in a small file does not make it UTF-16', async () => {
  for (const [text, before] of [
    ['a\0\n', 'a'],
    ['\0a\n', ''],
    ['a,b\n\0', 'a,b\n'],
  ] as const) {
    assert.deepEqual((await failure(Buffer.from(text))).before, before);
  }
});

test('A file that is not text is rejected, and its type is named if it is known', async () => {
  const noise = Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 89 + 7) % 256));
  const cases: [Uint8Array, RegExp][] = [
    [Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noise]), /is an image, not a CSV file/],
    [Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), noise]), /is an image/],
    [Buffer.from('GIF89a'), /is an image/],
    [Buffer.concat([Buffer.from('\xd0\xcf\x11\xe0', 'latin1'), noise]), /is an old Excel workbook/],
    [Buffer.from('%PDF-1.7'), /is a PDF/],
    [Buffer.from('\x1f\x8b\x08', 'latin1'), /is compressed/],
    [noise, /no readable text/],
    [Buffer.alloc(4096), /no readable text/],
    [Buffer.concat([Buffer.from('Phone,Name\n'), Buffer.alloc(200)]), /no readable text/],
  ];
  for (const [bytes, reason] of cases) {
    const refused = await failure(bytes, 100);
    assert.match(refused.reason, reason);
    assert.equal(refused.before, '');
  }
});

test('The source is closed when the reader stops early', async () => {
  let closed = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.from('a,b\n'.repeat(10_000));
    } finally {
      closed = true;
    }
  }
  const { text } = await decodeText(endless());
  for await (const _ of text) break;
  assert.equal(closed, true);
});
