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

describe('the address of a client', () => {
  it('is that of the connection where no proxy is trusted', () => {
    for (const proxies of ['false', '0', '192.0.2.0/24']) {
      assert.equal(addressFrom(proxies, '198.51.100.1'), '10.0.0.1');
    }
  });

  it('is the one that the outermost of so many proxies saw', () => {
    const forwarded = '198.51.100.9, 198.51.100.1, 203.0.113.7';
    assert.equal(addressFrom('true', forwarded), '203.0.113.7');
    assert.equal(addressFrom('1', forwarded), '203.0.113.7');
    assert.equal(addressFrom('2', forwarded), '198.51.100.1');
    assert.equal(addressFrom('2', '203.0.113.7'), '203.0.113.7');
    assert.equal(addressFrom('2', ''), '10.0.0.1');
  });

  it('is the last one outside of the trusted networks', () => {
    const proxies = '10.0.0.0/8,203.0.113.7,2001:db8::/32';
    assert.equal(
      addressFrom(proxies, '198.51.100.9, 198.51.100.1, 2001:db8::5, 203.0.113.7:80'),
      '198.51.100.1',
    );
    assert.equal(addressFrom(proxies, '10.0.0.9, 10.0.0.8'), '10.0.0.9');
    assert.equal(addressFrom(proxies, '198.51.100.1', '192.0.2.1'), '192.0.2.1');
  });

  it('is never a text that is no address', () => {
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

describe('the address that a request was sent to', () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'roster.example:8443' };
  const baseFrom = (proxies: string, headers: Record<string, string>, peer = '10.0.0.1') =>
    originOf(request(peer, headers), trusting(proxies)).base;

  it('is what a trusted proxy says, and the connection for any other peer', () => {
    assert.equal(baseFrom('10.0.0.0/8', forwarded), 'https://roster.example:8443');
    assert.equal(baseFrom('10.0.0.0/8', forwarded, '192.0.2.1'), 'http://roster.internal');
    assert.equal(baseFrom('false', forwarded), 'http://roster.internal');
  });

  it('is what the outermost trusted proxy wrote', () => {
    const headers = {
      'x-forwarded-proto': 'ftp, https, http',
      'x-forwarded-host': 'evil.example, roster.example, cdn',
    };
    const both = { ...headers, 'x-forwarded-for': '198.51.100.1, 203.0.113.7' };
    assert.equal(baseFrom('2', both), 'https://roster.example');
    assert.equal(baseFrom('1', both), 'http://cdn');
  });

  it('takes no scheme but HTTP and HTTPS, and no text that is not a host', () => {
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

it('only a trusted peer may name the request', () => {
  assert.equal(isFromProxy(request('::ffff:10.0.0.1'), trusting('10.0.0.0/8')), true);
  assert.equal(isFromProxy(request('192.0.2.1'), trusting('10.0.0.0/8')), false);
  assert.equal(isFromProxy(request('192.0.2.1'), trusting('1')), true);
  assert.equal(isFromProxy(request('192.0.2.1'), trusting('off')), false);
});
