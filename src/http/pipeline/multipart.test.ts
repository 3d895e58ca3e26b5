import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, statusOf } from '../../lib/errors.ts';
import { openUpload } from './multipart.ts';

const TYPE = 'multipart/form-data; boundary=----Form7MA4YWxk';
const B = '------Form7MA4YWxk';
const file = (content: string, disposition = 'form-data; name="file"; filename="people.csv"') =>
  `${B}\r\nContent-Disposition: ${disposition}\r\nContent-Type: text/csv\r\n\r\n${content}\r\n`;

async function* inChunks(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = async (text: string, size = 7, type = TYPE) => {
  const { name, bytes } = await openUpload(type, inChunks(text, size));
  const chunks = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return { name, content: Buffer.concat(chunks).toString() };
};

const refused = async (text: string, status: number, pattern: RegExp, type = TYPE) => {
  for (const size of [3, 1_000_000]) {
    await assert.rejects(read(text, size, type), (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(statusOf[error.code], status);
      assert.match(`${error.message} ${JSON.stringify(error.details)}`, pattern);
      return true;
    });
  }
};

test('The file of a form is read whatever the size of its chunks', async () => {
  const content = `Phone\r\n--not the boundary\r\n-----\r\n------Form7MA4YWx\r\n+14155550100\r\nüñí`;
  const text = `${file(content)}${B}--\r\n`;
  for (const size of [1, 2, 3, 5, 16, 61, 64, 1_000])
    assert.deepEqual(await read(text, size), { name: 'people.csv', content }, `${size} bytes`);
});

test('A body that is not a form is the file itself', async () => {
  assert.deepEqual(await read('Phone\n', 2, 'text/csv'), { name: undefined, content: 'Phone\n' });
  assert.deepEqual((await openUpload(undefined, inChunks('a', 1))).name, undefined);
});

test('An empty file, a preamble, blanks after a boundary and an epilogue are accepted', async () => {
  assert.deepEqual(await read(`${file('')}${B}--`), { name: 'people.csv', content: '' });
  const spaced = file('x').replace('\r\n', '  \r\n');
  assert.equal((await read(`ignored\r\n${spaced}${B}--\r\nignored`)).content, 'x');
  const quoted = 'multipart/form-data; charset=utf-8; boundary="----Form7MA4YWxk"';
  assert.equal((await read(`${file('x')}${B}--`, 7, quoted)).content, 'x');
});

test('The name of the file is decoded, without its path', async () => {
  const named = async (name: string) =>
    (await read(`${file('', `form-data; name="f"; ${name}`)}${B}--`)).name;
  assert.equal(await named('filename="a%22b.csv"'), 'a"b.csv');
  assert.equal(await named('filename="a\\"b.csv"'), 'a"b.csv');
  assert.equal(await named('filename="C:\\Users\\Ada\\list.csv"'), 'list.csv');
  assert.equal(await named('filename="/tmp/Älteste.csv"; x=1'), 'Älteste.csv');
  assert.equal(await named('filename=""'), undefined);
});

test('A form without exactly one file is rejected', async () => {
  await refused(`${B}--\r\n`, 400, /only part/);
  await refused(`${file('x', 'form-data; name="country"')}${B}--`, 400, /only part/);
  await refused(`${file('x')}${file('y')}${B}--`, 400, /only part/);
  await refused(`${B}\r\n\r\nx\r\n${B}--`, 400, /only part/);
});

test('A malformed form is rejected', async () => {
  await refused('', 400, /closing boundary is missing/);
  await refused('Phone\n+14155550100\n', 400, /closing boundary is missing/);
  await refused(file('x'), 400, /closing boundary is missing|only part/);
  await refused(`${B}\r\nContent-Disposition: form-data; filename="x"`, 400, /closing boundary is missing/);
  await refused(`${'p'.repeat(70_000)}\r\n${file('x')}${B}--`, 400, /before its first boundary/);
  await refused(`${file('x', `form-data; filename="${'n'.repeat(9_000)}"`)}${B}--`, 400, /headers/);
  await refused(`${file('x')}${B}--\r\n${'e'.repeat(70_000)}`, 400, /after its closing boundary/);
  const encoded = file('x').replace('Content-Type: text/csv', 'Content-Transfer-Encoding: base64');
  await refused(`${encoded}${B}--`, 400, /Content-Transfer-Encoding/);
});

test('A form without a valid boundary, or another multipart type, is rejected', async () => {
  for (const parameters of [
    '',
    ';',
    '; boundary=',
    '; boundary="a',
    `; boundary=${'b'.repeat(71)}`,
    '; boundary=a b',
  ])
    await refused('x', 400, /no valid boundary/, `multipart/form-data${parameters}`);
  await refused('x', 415, /multipart\/form-data/, 'multipart/mixed; boundary=x');
});
