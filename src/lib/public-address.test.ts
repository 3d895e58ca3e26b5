import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPublicAddress } from './public-address.ts';

const PRIVATE_IPV4 = [
  '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255', '127.0.0.1',
  '127.255.255.254', '169.254.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1',
  '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1',
  '239.255.255.255', '240.0.0.1', '255.255.255.255', '168.63.129.16',
]; // biome-ignore format: a table

const PUBLIC_IPV4 = [
  '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0',
  '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255', '192.169.0.0',
  '198.17.255.255', '198.20.0.0', '223.255.255.255', '168.63.129.15',
]; // biome-ignore format: a table

const PRIVATE_IPV6 = [
  '::', '::1', 'fc00::1', 'fd00:ec2::254', 'fdff::1', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'ff02::1', 'ff0e::1',
  '100::1', '2001:db8::1', '3fff::1', '2001:2::1', '2001:10::1', '2001:20::1', '5f00::1', '4000::1', '64:ff9b:1::808:808',
  '64:ff9b:1:a00:0:100::', '2002:a00:1::1', '2002:7f00:1::', '2001:0:a00:1::1', '2001::1',
]; // biome-ignore format: a table

const groups = (ipv4: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};

describe('isPublicAddress', () => {
  it('Private, loopback, link-local, metadata, shared, multicast and reserved addresses are not public', () => {
    for (const address of [...PRIVATE_IPV4, ...PRIVATE_IPV6])
      assert.equal(isPublicAddress(address), false, address);
  });

  it('The neighbors of special networks and unicast IPv6 addresses are public', () => {
    for (const address of [
      ...PUBLIC_IPV4,
      '2606:4700:4700::1111',
      '2a00:1450:4001::1',
      '2001:200::1',
      '2003::1',
    ])
      assert.equal(isPublicAddress(address), true, address);
  });

  it('An IPv4-mapped and a NAT64 address are judged by the IPv4 address that they embed', () => {
    for (const [list, expected] of [[PRIVATE_IPV4, false], [PUBLIC_IPV4, true]] as const) // biome-ignore format: pairs
      for (const ipv4 of list)
        for (const address of [
          `::ffff:${ipv4}`,
          `::FFFF:${groups(ipv4)}`,
          `0:0:0:0:0:ffff:${groups(ipv4)}`,
          `64:ff9b::${ipv4}`,
          `64:ff9b:0:0:0:0:${groups(ipv4)}`,
        ])
          assert.equal(isPublicAddress(address), expected, address);
  });

  it('IPv4-compatible, 6to4, Teredo and local NAT64 addresses are never public', () => {
    for (const ipv4 of [...PRIVATE_IPV4, ...PUBLIC_IPV4])
      for (const address of [
        `::${ipv4}`,
        `2002:${groups(ipv4)}::1`,
        `2001::${groups(ipv4)}`,
        `64:ff9b:1::${ipv4}`,
      ])
        assert.equal(isPublicAddress(address), false, address);
  });

  it('A text that is not an address is not public', () => {
    for (const text of [
      '',
      'example.com',
      '127.1',
      '0x7f.1',
      '2130706433',
      '8.8.8',
      '8.8.8.8.8',
      ':',
      '8.8.8.256',
    ])
      assert.equal(isPublicAddress(text), false, text);
  });
});
