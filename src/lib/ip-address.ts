import { BlockList, isIP, SocketAddress } from 'node:net';

/** Normalizes an IP address: no port, brackets or zone, lower case, IPv4-mapped addresses as IPv4. Undefined for any other
 *  text. */
export const addressOf = (text: string): string | undefined => {
  const address = text
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/s, '');
  const family = isIP(address);
  if (family === 4) return address;
  if (family === 0) return undefined;
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
};

/** The unit of rate limits: an IPv4 address, or the /64 of an IPv6 address, because one host can use all of a /64. */
export const networkOf = (text: string): string => {
  const address = addressOf(text) ?? '';
  return address.includes(':') ? groupsOf(address).slice(0, 4).join(':') : address;
};

/** The eight groups of a normalized IPv6 address, in hexadecimal. */
const groupsOf = (address: string): string[] => {
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const after = tail?.split(':').filter(Boolean) ?? [];
  return [...groups, ...Array(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after];
};

/** The IPv4 address in the last 32 bits of a normalized IPv6 address. */
export const embeddedIpv4 = (address: string): string =>
  groupsOf(address)
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');

/** The number of proxies in front of the service, or the networks of trusted proxies. */
export type TrustedProxies = number | readonly string[];

/** Whether to trust the X-Forwarded-* headers that the sender at an address has set. Hop 0 is the peer of the connection.
 *  */
export type IsTrustedProxy = (address: string, hop: number) => boolean;

const MAX_HOPS = 16;

/** Parses a flag, a number of hops, or addresses and networks; undefined for any other text. */
export const parseTrustedProxies = (text: string): TrustedProxies | undefined => {
  if (/^(true|yes|on)$/i.test(text)) return 1;
  if (/^(false|no|off)$/i.test(text)) return 0;
  if (/^\d{1,2}$/.test(text)) return Number(text) <= MAX_HOPS ? Number(text) : undefined;
  return parseNetworks(text);
};

/** Parses addresses and networks such as `10.0.0.0/8,2001:db8::1`; undefined for any other text. */
export const parseNetworks = (text: string): readonly string[] | undefined => {
  const networks = text.split(',').map((each) => each.trim());
  return networks.every(networkParts) ? networks : undefined;
};

const networkParts = (text: string) => {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const length = Number(prefix ?? bits);
  if (bits < 0 || length > bits || address.includes('%')) return undefined;
  return { address, length, family: bits === 32 ? 'ipv4' : 'ipv6' } as const;
};

export const trustedProxyCheck = (proxies: TrustedProxies): IsTrustedProxy =>
  typeof proxies === 'number' ? (_, hop) => hop < proxies : networkCheck(proxies);

/** Whether a normalized address is in one of the networks. */
export const networkCheck = (networks: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const each of networks) {
    const parts = networkParts(each);
    if (parts) list.addSubnet(parts.address, parts.length, parts.family);
  }
  return (address) => list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
};
