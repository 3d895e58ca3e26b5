import { describe, it } from 'node:test';
import { slowClients, slowTlsClients } from './proofs/slow.ts';

describe('Slow clients', { concurrency: true }, () => {
  it('Slow clients are cut off, their sockets are released, and other clients are served', (test) =>
    slowClients(test, { engine: 'sqlite', connections: 100, within: 40, isAsserted: false }));

  it('Slow clients are cut off over TLS, also during the handshake, and the service stops', (test) =>
    slowTlsClients(test, { connections: 140, within: 40, isAsserted: false }));
});
