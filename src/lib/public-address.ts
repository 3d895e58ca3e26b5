import { addressOf, embeddedIpv4, networkCheck } from './ip-address.ts';

/** IPv4 networks that are not part of the public internet, by the registry of special-purpose addresses (RFC 6890). */
const isSpecialIpv4 = networkCheck([
  '0.0.0.0/8', // this host
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; the metadata service of Alibaba Cloud
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local; the metadata services of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; the metadata service of Oracle Cloud
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '168.63.129.16/32', // public by its number, but the platform service inside every machine of Azure
]);

/** The only block of IPv6 from which public unicast addresses are assigned. Loopback, unique local, link-local, multicast,
 *  IPv4-compatible and the local NAT64 prefix are outside of it. */
const isGlobalUnicast = networkCheck(['2000::/3']);

/** The exceptions in that block. 6to4 and Teredo, which are obsolete, are refused with any IPv4 address that they embed. */
const isSpecialIpv6 = networkCheck([
  '2001::/23', // protocol assignments, with Teredo (2001::/32) and ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
]);

/** NAT64. Where only IPv6 is available, every IPv4 host on the internet has such an address. */
const isNat64 = networkCheck(['64:ff9b::/96']);

/** Whether an address belongs to the public internet. An IPv4-mapped or NAT64 address is judged by its IPv4 address. */
export const isPublicAddress = (text: string): boolean => {
  // A zone exists only for local addresses.
  const address = text.includes('%') ? undefined : addressOf(text);
  if (address === undefined) return false;
  if (!address.includes(':')) return !isSpecialIpv4(address);
  if (isNat64(address)) return !isSpecialIpv4(embeddedIpv4(address));
  return isGlobalUnicast(address) && !isSpecialIpv6(address);
};
