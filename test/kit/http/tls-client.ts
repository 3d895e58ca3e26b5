import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

/** A TLS connection of a client that accepts every certificate. */
export const connectSecurely = async (url: string): Promise<TLSSocket> => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket;
};

/** The fingerprint of the certificate that a new connection receives. */
export const servedCertificate = async (url: string): Promise<string> => {
  const socket = await connectSecurely(url);
  try {
    return socket.getPeerCertificate().fingerprint256;
  } finally {
    socket.destroy();
  }
};

export const fingerprintOf = (cert: string): string => new X509Certificate(cert).fingerprint256;
