import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type Server } from 'node:tls';
import type { Log } from '../../lib/log.ts';
import { gauge, type Metric } from '../../lib/metric.ts';

/** The paths of the certificate chain and of its private key. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

type TlsPair = Readonly<Record<'cert' | 'key', Buffer>>;

/** Two small reads; a certificate is replaced days before it expires. */
const CHECK_EVERY_MS = 2_000;

type ReadResult = TlsPair | Error;

/** The same for the same files, or the same problem. */
const textOf = (found: ReadResult): string =>
  found instanceof Error ? found.message : `${found.cert}${found.key}`;

/** Makes a server use changed TLS files for new connections. It compares their contents, because the events of fs.watch
 *  depend on the file system and follow neither a rename nor the symbolic links that Kubernetes replaces. Changed files are
 *  loaded when two checks in a row read the same, since the first may have read an incomplete chain, which is valid. */
export const watchTlsFiles = (
  server: Server,
  { files, loaded, log }: { files: TlsFiles; loaded: TlsPair; log: Pick<Log, 'info' | 'error'> },
  everyMs = CHECK_EVERY_MS,
) => {
  /** What was last loaded or rejected. */
  let handled = textOf(loaded);
  let previous = '';
  let isRejected = false;
  let certificate = new X509Certificate(loaded.cert);

  const read = async (): Promise<ReadResult> => {
    try {
      const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)]);
      return { cert, key };
    } catch (error) {
      return error as Error;
    }
  };

  const load = (pair: ReadResult) => {
    handled = textOf(pair);
    try {
      if (pair instanceof Error) throw pair;
      // setSecureContext() changes the server before it fails.
      createSecureContext(pair);
      server.setSecureContext(pair);
      isRejected = false;
      certificate = new X509Certificate(pair.cert);
      const { serialNumber: serial_number, validTo } = certificate;
      log.info('TLS files loaded', { serial_number, valid_to: new Date(validTo).toISOString() });
    } catch (error) {
      isRejected = true;
      const reason = error instanceof Error ? error.message : String(error);
      log.error('TLS files rejected; the previous certificate is still used', { reason });
    }
  };

  // Not setInterval(): on a slow network file system, checks would overlap.
  const checkLater = () => {
    setTimeout(async () => {
      if (!server.listening) return;
      const found = await read();
      const text = textOf(found);
      if (text === previous && text !== handled) load(found);
      previous = text;
      checkLater();
    }, everyMs).unref();
  };
  server.once('listening', checkLater);

  return {
    /** Loads the files immediately. */
    reload: async (): Promise<void> => load(await read()),
    metrics: (): Metric[] => [
      gauge(
        'roster_tls_certificate_expiry_timestamp_seconds',
        'Unix time until which the served certificate is valid.',
        Date.parse(certificate.validTo) / 1000,
        { merge: 'min' },
      ),
      gauge(
        'roster_tls_last_reload_successful',
        'Whether the current TLS files could be loaded; if not, the previous ones are used.',
        isRejected ? 0 : 1,
        { merge: 'min' },
      ),
    ],
  };
};

export type TlsWatcher = ReturnType<typeof watchTlsFiles>;
