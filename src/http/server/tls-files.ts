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

export interface TlsPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Two small reads; a certificate is replaced days before it expires. */
const CHECK_EVERY_MS = 2_000;

type ReadResult = TlsPair | Error;

const isSame = (one: ReadResult, other: ReadResult | undefined): boolean => {
  if (one instanceof Error || other instanceof Error)
    return one instanceof Error && other instanceof Error && one.message === other.message;
  return other !== undefined && one.cert.equals(other.cert) && one.key.equals(other.key);
};

/** Makes a server use changed TLS files for new connections. It compares their contents, because the events of fs.watch
 *  depend on the file system and follow neither a rename nor the symbolic links that Kubernetes replaces. Changed files are
 *  loaded when two checks in a row read the same, since the first may have read an incomplete chain, which is valid. */
export class TlsFileWatcher {
  readonly #server: Server;
  readonly #files: TlsFiles;
  readonly #log: Pick<Log, 'info' | 'error'>;
  /** What was last loaded or rejected. */
  #handled: ReadResult;
  #isRejected = false;
  #certificate: X509Certificate;
  #previous: ReadResult | undefined;

  constructor(
    server: Server,
    { files, loaded, log }: { files: TlsFiles; loaded: TlsPair; log: Pick<Log, 'info' | 'error'> },
    everyMs = CHECK_EVERY_MS,
  ) {
    this.#server = server;
    this.#files = files;
    this.#log = log;
    this.#handled = loaded;
    this.#certificate = new X509Certificate(loaded.cert);
    // Not setInterval(): on a slow network file system, checks would overlap.
    const checkLater = () => {
      setTimeout(async () => {
        if (!server.listening) return;
        await this.#check();
        checkLater();
      }, everyMs).unref();
    };
    server.once('listening', checkLater);
  }

  metrics(): Metric[] {
    return [
      gauge(
        'roster_tls_certificate_expiry_timestamp_seconds',
        'Unix time until which the served certificate is valid.',
        Date.parse(this.#certificate.validTo) / 1000,
        { merge: 'min' },
      ),
      gauge(
        'roster_tls_last_reload_successful',
        'Whether the current TLS files could be loaded; if not, the previous ones are used.',
        this.#isRejected ? 0 : 1,
        { merge: 'min' },
      ),
    ];
  }

  /** Loads the files immediately. */
  async reload(): Promise<void> {
    this.#load(await this.#read());
  }

  async #check() {
    const read = await this.#read();
    const isStable = isSame(read, this.#previous);
    this.#previous = read;
    if (isStable && !isSame(read, this.#handled)) this.#load(read);
  }

  async #read(): Promise<ReadResult> {
    try {
      const [cert, key] = await Promise.all([readFile(this.#files.cert), readFile(this.#files.key)]);
      return { cert, key };
    } catch (error) {
      return error as Error;
    }
  }

  #load(read: ReadResult) {
    this.#handled = read;
    try {
      if (read instanceof Error) throw read;
      // setSecureContext() changes the server before it fails.
      createSecureContext(read);
      this.#server.setSecureContext(read);
      this.#isRejected = false;
      this.#certificate = new X509Certificate(read.cert);
      const { serialNumber, validTo } = this.#certificate;
      this.#log.info('TLS files loaded', {
        serial_number: serialNumber,
        valid_to: new Date(validTo).toISOString(),
      });
    } catch (error) {
      this.#isRejected = true;
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.error('TLS files rejected; the previous certificate is still used', { reason });
    }
  }
}
