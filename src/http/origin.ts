import type { IncomingMessage } from 'node:http';

/** Where a request came from and what it was sent to, as far as that can be trusted. */
export interface Origin {
  readonly address: string;
  /** `https://host`, as the caller wrote it. */
  readonly base: string;
}

/** What the connection and the request say, or what a trusted proxy says in their place: its own word stands last. */
export const originOf = ({ headers, socket }: IncomingMessage, trustProxy: boolean): Origin => {
  const told = (name: string) =>
    (trustProxy
      ? String(headers[name] ?? '')
          .split(',')
          .at(-1)
          ?.trim()
      : '') || undefined;
  const scheme = told('x-forwarded-proto') ?? ('encrypted' in socket ? 'https' : 'http');
  return {
    address: told('x-forwarded-for') ?? socket.remoteAddress ?? '',
    base: `${scheme}://${told('x-forwarded-host') ?? headers.host ?? ''}`,
  };
};

/** An address that can be called from this machine, also where the service listens on all of them. */
export const nearUrl = ({ host, port, tls }: { host: string; port: number; tls: boolean }): string => {
  const near = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `${tls ? 'https' : 'http'}://${near.includes(':') ? `[${near}]` : near}:${port}`;
};
