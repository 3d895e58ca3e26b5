import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { makeCertificate } from './certificate.ts';

export interface HalfOpenOptions {
  /** Whether to complete the TLS handshake. Otherwise the connection is plain TCP, also to a TLS port. */
  readonly isTls?: boolean;
  /** The address of the client. All of 127.0.0.0/8 belongs to this machine. */
  readonly from?: string;
}

/** Connects a client that ignores the end of the other side and stays open until it is destroyed. */
export const connectHalfOpen = async (url: string, options: HalfOpenOptions = {}): Promise<Socket> => {
  const { hostname, port } = new URL(url);
  const raw = connect({
    host: hostname,
    port: Number(port),
    allowHalfOpen: true,
    ...(options.from !== undefined && { localAddress: options.from }),
  });
  // A TLS socket inherits allowHalfOpen from its TCP socket.
  const socket = options.isTls ? connectTls({ socket: raw, rejectUnauthorized: false }) : raw;
  for (const each of [raw, socket]) each.on('error', () => {}).unref();
  socket.resume();
  await Promise.race([once(socket, options.isTls ? 'secureConnect' : 'connect'), once(socket, 'close')]);
  return socket;
};

/** The number of open sockets of a process. */
export const countOpenSockets = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;

/** The number of established connections to a port. A client with unread bytes does not see that its connection was
 *  closed. */
export const countConnectionsTo = (port: number): number => {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const ESTABLISHED = '01';
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state]) => address?.endsWith(local) && state === ESTABLISHED).length;
};

/** Writes a certificate and its key to the folder and returns the environment for a service with TLS. */
export const writeTlsFiles = (folder: string): { TLS_CERT: string; TLS_KEY: string } => {
  const { cert, key } = makeCertificate();
  const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(TLS_CERT, cert);
  writeFileSync(TLS_KEY, key);
  return { TLS_CERT, TLS_KEY };
};
