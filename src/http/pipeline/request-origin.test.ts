import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { parseTrustedProxies, trustedProxyCheck } from '../../lib/ip-address.ts';
import { isFromProxy, originOf } from './request-origin.ts';

const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({
    socket: { remoteAddress },
    headers: { host: 'roster.internal', ...headers },
  }) as unknown as IncomingMessage;
const trusting = (text: string) => trustedProxyCheck(parseTrustedProxies(text) ?? 0);
const addressFrom = (proxies: string, forwarded: string, peer = '::ffff:10.0.0.1') =>
  originOf(request(peer, { 'x-forwarded-for': forwarded }), trusting(proxies)).address;

describe('Client address', () => {
  it('Without a trusted proxy, the client address is that of the connection', () => {
    for (const proxies of ['false', '0', '192.0.2.0/24']) {
      assert.equal(addressFrom(proxies, '198.51.100.1'), '10.0.0.1');
    }
  });

  it('With N trusted proxies, the client address is the one that the outermost saw', () => {
    const forwarded = '198.51.100.9, 198.51.100.1, 203.0.113.7';
    assert.equal(addressFrom('true', forwarded), '203.0.113.7');
    assert.equal(addressFrom('1', forwarded), '203.0.113.7');
    assert.equal(addressFrom('2', forwarded), '198.51.100.1');
    assert.equal(addressFrom('2', '203.0.113.7'), '203.0.113.7');
    assert.equal(addressFrom('2', ''), '10.0.0.1');
  });

  it('With trusted networks, the client address is the last one outside of them', () => {
    const proxies = '10.0.0.0/8,203.0.113.7,2001:db8::/32';
    assert.equal(
      addressFrom(proxies, '198.51.100.9, 198.51.100.1, 2001:db8::5, 203.0.113.7:80'),
      '198.51.100.1',
    );
    assert.equal(addressFrom(proxies, '10.0.0.9, 10.0.0.8'), '10.0.0.9');
    assert.equal(addressFrom(proxies, '198.51.100.1', '192.0.2.1'), '192.0.2.1');
  });

  it('The client address is never text that is not an address', () => {
    for (const text of [
      'garbage',
      'unknown',
      '_hidden',
      '1.2.3',
      '0x7f.1',
      '1.2.3.4.5:80',
      '[::g]:80',
      'a:b:c',
      '%',
    ]) {
      assert.equal(addressFrom('1', text), '10.0.0.1', text);
      assert.equal(addressFrom('2', `${text}, 198.51.100.1`), '198.51.100.1', text);
    }
  });
});

describe('Request origin', () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'roster.example:8443' };
  const baseFrom = (proxies: string, headers: Record<string, string>, peer = '10.0.0.1') =>
    originOf(request(peer, headers), trusting(proxies)).base;

  it('The request origin comes from a trusted proxy, otherwise from the connection', () => {
    assert.equal(baseFrom('10.0.0.0/8', forwarded), 'https://roster.example:8443');
    assert.equal(baseFrom('10.0.0.0/8', forwarded, '192.0.2.1'), 'http://roster.internal');
    assert.equal(baseFrom('false', forwarded), 'http://roster.internal');
  });

  it('The request origin is the one that the outermost trusted proxy wrote', () => {
    const headers = {
      'x-forwarded-proto': 'ftp, https, http',
      'x-forwarded-host': 'evil.example, roster.example, cdn',
    };
    const both = { ...headers, 'x-forwarded-for': '198.51.100.1, 203.0.113.7' };
    assert.equal(baseFrom('2', both), 'https://roster.example');
    assert.equal(baseFrom('1', both), 'http://cdn');
  });

  it('The request origin has only HTTP or HTTPS as its scheme and a valid host', () => {
    assert.equal(
      baseFrom('1', { ...forwarded, 'x-forwarded-proto': 'javascript' }),
      'http://roster.example:8443',
    );
    for (const host of ['a b', 'a/b', 'user@host', '', 'a?b', 'a#b'])
      assert.equal(baseFrom('1', { ...forwarded, 'x-forwarded-host': host }), 'https://roster.internal');
    assert.equal(
      baseFrom('1', { ...forwarded, 'x-forwarded-host': '[2001:db8::1]:80' }),
      'https://[2001:db8::1]:80',
    );
  });
});

it('Only a trusted peer can set the request id', () => {
  assert.equal(isFromProxy(request('::ffff:10.0.0.1'), trusting('10.0.0.0/8')), true);
  assert.equal(isFromProxy(request('192.0.2.1'), trusting('10.0.0.0/8')), false);
  assert.equal(isFromProxy(request('192.0.2.1'), trusting('1')), true);
  assert.equal(isFromProxy(request('192.0.2.1'), trusting('off')), false);
});
