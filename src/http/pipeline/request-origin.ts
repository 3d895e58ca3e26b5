import type { IncomingMessage } from 'node:http';
import { addressOf, type IsTrustedProxy } from '../../lib/ip-address.ts';

/** The client address and the base URL of a request, as far as they can be trusted. */
export interface Origin {
  /** An IP address; empty if the connection is closed. */
  readonly address: string;
  /** `https://host`, as the client sent it. */
  readonly base: string;
}

const peerOf = ({ socket }: IncomingMessage): string => addressOf(socket.remoteAddress ?? '') ?? '';

export const isFromProxy = (request: IncomingMessage, isTrustedProxy: IsTrustedProxy): boolean =>
  isTrustedProxy(peerOf(request), 0);

const listOf = ({ headers }: IncomingMessage, name: string): string[] =>
  String(headers[name] ?? '')
    .split(',')
    .map((each) => each.trim());

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** The origin according to trusted proxies, or else the connection. Reads X-Forwarded-* from the end, where the nearest
 *  proxy appends, up to the first untrusted or invalid address. */
export const originOf = (request: IncomingMessage, isTrustedProxy: IsTrustedProxy): Origin => {
  const { headers, socket } = request;
  const forwarded = listOf(request, 'x-forwarded-for');
  let address = peerOf(request);
  let hops = 0;
  while (isTrustedProxy(address, hops)) {
    const previous = addressOf(forwarded.at(-++hops) ?? '');
    if (previous === undefined) break;
    address = previous;
  }
  /** The value of the outermost trusted proxy. Some proxies replace the whole header. */
  const forwardedAs = (name: string, pattern: RegExp): string | undefined => {
    if (hops === 0) return undefined;
    const list = listOf(request, name);
    const value = list.at(-hops) ?? list[0] ?? '';
    return pattern.test(value) ? value : undefined;
  };
  const scheme = forwardedAs('x-forwarded-proto', /^https?$/i)?.toLowerCase();
  const host = forwardedAs('x-forwarded-host', HOST);
  return {
    address,
    base: `${scheme ?? ('encrypted' in socket ? 'https' : 'http')}://${host ?? headers.host ?? ''}`,
  };
};

/** Whether the client uses HTTPS to reach the service or the proxy in front of it. */
export const isSecure = (request: IncomingMessage, isTrustedProxy: IsTrustedProxy): boolean =>
  'encrypted' in request.socket ||
  (request.headers['x-forwarded-proto'] !== undefined &&
    originOf(request, isTrustedProxy).base.startsWith('https:'));

/** A URL for this machine, also if the service listens on all addresses. */
export const localUrl = ({ host, port, tls }: { host: string; port: number; tls: boolean }): string => {
  const local = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `${tls ? 'https' : 'http'}://${local.includes(':') ? `[${local}]` : local}:${port}`;
};
