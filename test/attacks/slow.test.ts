import { describe, it } from 'node:test';
import { slowClients, slowTlsClients } from './proofs/slow.ts';

describe('Clients that hold a connection and never close it', { concurrency: true }, () => {
  it('are cut off and their sockets released, and other clients are served', (test) =>
    slowClients(test, { engine: 'sqlite', connections: 100, within: 40, isJudged: false }));

  it('are cut off over TLS, also during the handshake, and do not delay a stop', (test) =>
    slowTlsClients(test, { connections: 140, within: 40 }));
});
