import type { IncomingMessage } from 'node:http';
import { addressOf, type IsTrustedProxy } from '../../lib/ip-address.ts';

/** Where a request came from and what it was sent to, as far as that can be trusted. */
export interface Origin {
  /** An IP address; empty where the connection is gone. */
  readonly address: string;
  /** `https://host`, as the caller wrote it. */
  readonly base: string;
}

const peerOf = ({ socket }: IncomingMessage): string => addressOf(socket.remoteAddress ?? '') ?? '';

/** Whether the peer of the connection may speak for the client. */
export const isFromProxy = (request: IncomingMessage, isTrustedProxy: IsTrustedProxy): boolean =>
  isTrustedProxy(peerOf(request), 0);

const listOf = ({ headers }: IncomingMessage, name: string): string[] =>
  String(headers[name] ?? '')
    .split(',')
    .map((each) => each.trim());

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** What the connection and the request say, or what trusted proxies say in their place. The headers are read from the
 *  end, where the nearest proxy writes, and no further than proxies are trusted; what is no address ends the walk. */
export const originOf = (request: IncomingMessage, isTrustedProxy: IsTrustedProxy): Origin => {
  const { headers, socket } = request;
  const forwarded = listOf(request, 'x-forwarded-for');
  let address = peerOf(request);
  let hops = 0;
  while (isTrustedProxy(address, hops)) {
    const before = addressOf(forwarded.at(-++hops) ?? '');
    if (before === undefined) break;
    address = before;
  }
  /** What the outermost trusted proxy wrote; some replace the whole header. */
  const forwardedAs = (name: string, form: RegExp): string | undefined => {
    if (hops === 0) return undefined;
    const list = listOf(request, name);
    const value = list.at(-hops) ?? list[0] ?? '';
    return form.test(value) ? value : undefined;
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

/** An address that can be called from this machine, also where the service listens on all of them. */
export const localUrl = ({ host, port, tls }: { host: string; port: number; tls: boolean }): string => {
  const near = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `${tls ? 'https' : 'http'}://${near.includes(':') ? `[${near}]` : near}:${port}`;
};
