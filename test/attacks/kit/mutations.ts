import type { Random } from '../../kit/random.ts';
import type { Json } from '../../kit/service/test-service.ts';
import { everyNaughty } from './naughty-strings.ts';

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Values of every type, for a field that expects another one. */
const UNEXPECTED: readonly Json[] = [
  null, true, false, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER + 1, '', ' ', '0', [], [[]], {}, [null], [1], [''],
  { length: 1 }, { toString: 1 }, [{ id: 1 }], { $ne: null }, 'x'.repeat(70_000), Array(60).fill('x'), Array(1_100).fill('y'),
]; // biome-ignore format: a table

export const unexpectedValue = (random: Random): Json =>
  random.chance(0.5) ? random.pick(UNEXPECTED) : random.pick(everyNaughty);

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'id',
  'workspace_id',
  'admin',
  '',
  ' ',
  'x'.repeat(300),
  'Name',
  '\u0000',
];

/** An almost valid body: a field with a wrong type, an extra field, or a missing field. */
export const mutatedBody = (body: Json, random: Random): Json => {
  const near: [string, Json][] = Object.entries(body);
  const change = () => {
    const at = random.below(near.length || 1);
    const [name = 'name'] = near[at] ?? [];
    const which = random.below(4);
    if (which === 0) near.splice(at, 1);
    else if (which === 1) near.push([random.pick(KEYS), unexpectedValue(random)]);
    else near[at] = [name, unexpectedValue(random)];
  };
  change();
  if (random.chance(0.3)) change();
  return Object.fromEntries(near);
};

/** Invalid bytes in place of JSON, made from a valid text. */
const BROKEN: readonly ((text: string, random: Random) => string | Uint8Array)[] = [
  (text, random) => text.slice(0, random.below(text.length)),
  (text, random) => text.slice(random.below(text.length)),
  (text, random) => {
    const at = random.below(text.length);
    return (
      text.slice(0, at) +
      random.pick(['"', '{', '}', ',', ':', '\\', '\0', '\u2028', '1', ' ']) +
      text.slice(at)
    );
  },
  (text) => text + text,
  (text) => `[${text}]`,
  (text) => text.replace('{', '{"name":1,"name":2,'),
  (text) => text.replace('{', '{"__proto__":{"x":1},'),
  (text) => text.replace('{', '{"name":"\\ud800",'),
  (text) => text.replace('{', '{"name":1e999,'),
  (text) => text.replace('{', '{"name":-0,"tags":NaN,'),
  (text) => `\ufeff${text}`,
  (text) => `${text}//x`,
  (text) => text.replaceAll('"', "'"),
  () => nested('[', ']', 5_000),
  () => nested('{"a":', '}', 5_000),
  () => nested('{"name":[', ']}', 20),
  () => ' ',
  () => 'null',
  () => '"text"',
  () => 'a=b&c=d',
  () => '<x/>',
  () => JSON.stringify(Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`k${at}`, at]))),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0x22, 0x7d])]),
  (text) => Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.from(text)]),
];
const HUGE = (text: string) => text.padEnd(1_048_577, ' ');

export const brokenBody = (body: Json, random: Random): string | Uint8Array => {
  const text = JSON.stringify(body ?? {});
  return random.chance(0.002) ? HUGE(text) : random.pick(BROKEN)(text, random);
};

const TYPES = [
  'application/json', 'application/json; charset=utf-8', 'text/plain', 'application/xml', 'application/json; charset=latin1', '',
  'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'text/csv', 'application/json;;;', '*/*', 'application/JSON; q',
]; // biome-ignore format: a table

/** A valid header value. */
export const headerText = (text: string) => text.replace(/[^\x20-\x7e\x80-\xff]/g, '').slice(0, 300);

/** Headers that are added to those of a request or replace them. */
export const oddHeaders = (random: Random): Record<string, string> => {
  const odd = headerText(random.pick(everyNaughty));
  return random.pick<Record<string, string>>([
    { 'content-type': random.pick(TYPES) },
    { 'content-encoding': random.pick(['gzip', 'br', 'identity', 'x', '']) },
    { accept: odd },
    { 'accept-encoding': odd, 'accept-language': odd },
    {
      authorization: random.pick([
        '',
        'Bearer',
        'Bearer ',
        `Bearer ${odd}`,
        `Basic ${odd}`,
        'Bearer rk_1_',
        `bearer rk_1_${'A'.repeat(32)}`,
      ]),
    },
    {
      cookie: random.pick([
        '',
        'roster_session',
        'roster_session=',
        `roster_session=${odd}`,
        `roster_session=rs_1_${'A'.repeat(32)}`,
        ';;;',
      ]),
    },
    { origin: random.pick(['null', 'https://elsewhere.example', odd]) },
    { 'sec-fetch-site': random.pick(['cross-site', 'same-origin', odd]) },
    {
      'if-match': random.pick(['*', '"x"', 'W/"x"', '', odd]),
      'if-none-match': random.pick(['*', '"x"', odd]),
    },
    { 'x-forwarded-for': odd, 'x-forwarded-host': odd, 'x-forwarded-proto': odd, 'x-request-id': odd },
    { range: 'bytes=0-1', 'if-modified-since': odd, 'cache-control': odd },
    { 'webhook-timestamp': odd },
    { [`x-${random.letters(8)}`]: odd },
  ]);
};

/** A query, made from valid pairs. */
export const oddQuery = (pairs: readonly string[], random: Random): string => {
  const text = encodeURIComponent(random.pick(everyNaughty).toWellFormed().slice(0, 200));
  const [first = 'limit=1'] = pairs;
  const [name] = first.split('=');
  return random.pick([
    `${name}=${text}`, `${first}&${first}`, `${text}=1`, `${name}[]=1`, `${name}[a]=b`, `${name}`, `${name}=`, '&&&', '=', '?', '%', '%zz=1', `${name}=%ff`, `${name}=%00`,
    `${name}=%ed%a0%80`, `__proto__=1`, `constructor[prototype][x]=1`, `${name}=1;${name}=2`, `${first}#x`, `${name}=${'9'.repeat(400)}`, `${name}=-1`, `${name}=1e1`, `${name}=0x1`,
    Array.from({ length: 300 }, (_, at) => `k${at}=1`).join('&'), `${name}=+`, `${name}=%2B`, `utf8=✓`.replace('✓', '%E2%9C%93'),
  ]); // biome-ignore format: a table
};
