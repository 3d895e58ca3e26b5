import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { getExpectedTwilioSignature, validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { isSignedStandard, isSignedTwilio } from './signature.ts';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const TOKEN = '0123456789abcdef0123456789abcdef';
const NOW = new Date('2026-06-01T12:00:00Z');

const signed = (body: string, at = NOW) => ({
  id: 'msg_1',
  timestamp: String(Math.floor(at.getTime() / 1000)),
  signature: new Webhook(SECRET).sign('msg_1', at, body),
  body,
});

test('Messages signed by the Standard Webhooks library are accepted, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (body) => isSignedStandard(SECRET, signed(body), NOW)),
  );
});

test('A message is accepted within five minutes of its timestamp', () => {
  const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
  for (const seconds of [-300, -299, 0, 299, 300]) {
    assert.equal(isSignedStandard(SECRET, signed('{}'), after(seconds)), true, `${seconds}`);
  }
  for (const seconds of [-301, 301, 3_600, -86_400]) {
    assert.equal(isSignedStandard(SECRET, signed('{}'), after(seconds)), false, `${seconds}`);
  }
});

test('A message is rejected if any part of it was changed', () => {
  const message = signed('{"a":1}');
  const { signature } = message;
  const changed = [
    { body: '{"a":2}' },
    { body: '{"a":1} ' },
    { id: 'msg_2' },
    { id: undefined },
    { id: '' },
    { timestamp: String(Number(message.timestamp) + 1) },
    { timestamp: undefined },
    { timestamp: `${message.timestamp}.0` },
    { timestamp: ` ${message.timestamp}` },
    { timestamp: 'NaN' },
    { signature: undefined },
    { signature: signature.slice(3) },
    { signature: signature.replace('v1,', 'v2,') },
    { signature: signature.slice(0, -1) },
    { signature: `${signature}=` },
    { signature: signature.replace(' ', ',') + signature },
  ];
  for (const change of changed) {
    assert.equal(isSignedStandard(SECRET, { ...message, ...change }, NOW), false, JSON.stringify(change));
  }
  assert.equal(isSignedStandard(SECRET, { ...message, signature: `v1,x ${signature}` }, NOW), true);
  assert.equal(isSignedStandard(`whsec_${Buffer.alloc(32, 6).toString('base64')}`, message, NOW), false);
});

const isTwilio = (url: string, fields: Record<string, string | string[]>, signature: string | undefined) => {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const each of [value].flat()) form.append(name, each);
  return isSignedTwilio(TOKEN, url, form, signature);
};

test('Forms signed by the Twilio library are accepted, whatever the fields', () => {
  const url = 'https://roster.example/hooks/channels/c/events?a=b';
  const text = fc.string({ unit: 'grapheme' });
  const fields = fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(text, fc.array(text, { minLength: 1 })));
  fc.assert(fc.property(fields, (each) => isTwilio(url, each, getExpectedTwilioSignature(TOKEN, url, each))));
});

test('A form is rejected if any part of it was changed', () => {
  const url = 'https://roster.example/hooks';
  const fields = { CallSid: 'CA1', From: '+14155550100' };
  const signature = getExpectedTwilioSignature(TOKEN, url, fields);
  assert.equal(isTwilio(url, fields, signature), true);
  assert.equal(isTwilio(`${url}?`, fields, signature), false);
  assert.equal(isTwilio(url.replace('https', 'http'), fields, signature), false);
  assert.equal(isTwilio(url.replace('roster', 'other'), fields, signature), false);
  assert.equal(isTwilio(url, { ...fields, From: '+14155550101' }, signature), false);
  assert.equal(isTwilio(url, { ...fields, To: '' }, signature), false);
  assert.equal(isTwilio(url, { CallSid: 'CA1' }, signature), false);
  for (const wrong of [undefined, '', signature.slice(1), `${signature} `, signature.toLowerCase()]) {
    assert.equal(isTwilio(url, fields, wrong), false);
  }
});

test('A URL with its port, without it and with the default port are the same', () => {
  const addresses = [
    ['https://roster.example/h?x=1', 'https://roster.example:443/h?x=1'],
    ['http://roster.example/h', 'http://roster.example:80/h'],
    ['https://roster.example:8443/h', 'https://roster.example/h'],
    ['http://Roster.Example:3000/h', 'http://Roster.Example/h'],
    ["https://p/h?q=it's|me", "https://p:443/h?q=it's|me"],
    ['http://[::1]:3000/h', 'http://[::1]/h'],
    ['https://roster.example:443/h', 'https://roster.example/h'],
  ] as const;
  for (const [called, wrote] of addresses) {
    for (const url of [called, wrote]) {
      const signature = getExpectedTwilioSignature(TOKEN, url, { a: 'b' });
      assert.equal(isTwilio(called, { a: 'b' }, signature), true, `${called} signed as ${url}`);
    }
  }
  const elsewhere = getExpectedTwilioSignature(TOKEN, 'https://roster.example:9/h', { a: 'b' });
  assert.equal(isTwilio('https://roster.example:8443/h', { a: 'b' }, elsewhere), false);
  assert.equal(validateRequest(TOKEN, elsewhere, 'https://roster.example:8443/h', { a: 'b' }), false);
});

test('An invalid URL is rejected without an exception', () => {
  for (const url of [
    'http://[/h',
    'http:///h',
    '://',
    '',
    'http://a b/h',
    'http://:/h',
    'http://x:99999/h',
  ]) {
    assert.equal(isTwilio(url, { a: 'b' }, 'A'.repeat(27)), false, url);
  }
});
