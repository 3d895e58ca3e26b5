import { once } from 'node:events';
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { makeCertificate } from './certificate.ts';

export interface HalfOpenOptions {
  /** Whether the TLS handshake is completed; without it the connection is plain TCP, also to a port that speaks TLS. */
  readonly isTls?: boolean;
  /** The address the client connects from. All of 127.0.0.0/8 belong to this machine. */
  readonly from?: string;
}

/** Connects as a client that never closes its side: it ignores the end of the other. It stays open until it is destroyed. */
export const connectHalfOpen = async (url: string, options: HalfOpenOptions = {}): Promise<Socket> => {
  const { hostname, port } = new URL(url);
  const raw = connect({
    host: hostname,
    port: Number(port),
    allowHalfOpen: true,
    ...(options.from !== undefined && { localAddress: options.from }),
  });
  // Over TLS, the socket takes allowHalfOpen from the one below it.
  const socket = options.isTls ? connectTls({ socket: raw, rejectUnauthorized: false }) : raw;
  for (const each of [raw, socket]) each.on('error', () => {}).unref();
  socket.resume();
  await Promise.race([once(socket, options.isTls ? 'secureConnect' : 'connect'), once(socket, 'close')]);
  return socket;
};

/** How many sockets a process has open. */
export const countOpenSockets = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;

/** The environment of a service that speaks TLS, its files in the folder. */
export const writeTlsFiles = (folder: string): { TLS_CERT: string; TLS_KEY: string } => {
  const { cert, key } = makeCertificate();
  const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(TLS_CERT, cert);
  writeFileSync(TLS_KEY, key);
  return { TLS_CERT, TLS_KEY };
};
