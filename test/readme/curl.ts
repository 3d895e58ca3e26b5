/** Replaces curl on a machine without it. It supports only the options that the documents use. */
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    include: { type: 'boolean', short: 'i' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
  },
});
const [url, ...more] = positionals;
if (url === undefined || more.length > 0) throw new Error('Usage: curl [options] URL');

const headers = new Headers();
if (values.data !== undefined) headers.set('Content-Type', 'application/x-www-form-urlencoded');
for (const header of values.header ?? []) {
  const colon = header.indexOf(':');
  headers.set(header.slice(0, colon), header.slice(colon + 1).trim());
}
const response = await fetch(url, {
  method: values.request ?? (values.data === undefined ? 'GET' : 'POST'),
  headers,
  redirect: 'manual',
  ...(values.data !== undefined && { body: values.data }),
});

const asWritten = (name: string) =>
  name === 'www-authenticate'
    ? 'WWW-Authenticate'
    : name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

if (values.include) {
  const lines = [...response.headers].map(([name, value]) => `${asWritten(name)}: ${value}\r\n`);
  process.stdout.write(`HTTP/1.1 ${response.status} ${response.statusText}\r\n${lines.join('')}\r\n`);
}
process.stdout.write(await response.text());
