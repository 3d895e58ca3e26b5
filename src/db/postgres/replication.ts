import type { ClientBase } from 'pg';

/** transaction_resolution_unknown */
export const NOT_REPLICATED = '08007';

const unreplicated = new WeakSet<ClientBase>();

/** Notices when a commit of this connection stops waiting for the synchronous standby, because of a timeout or a cancel
 *  request. The server then only warns and reports success. */
export const watchReplication = (client: ClientBase): void => {
  client.on('notice', ({ routine }) => {
    if (routine === 'SyncRepWaitForLSN') unreplicated.add(client);
  });
};

/** Throws after a commit that the standby may not have, which a fail-over would lose. */
export const checkReplicated = (client: ClientBase): void => {
  if (!unreplicated.has(client)) return;
  const message = 'the commit stopped waiting for the synchronous standby';
  throw Object.assign(new Error(message), { code: NOT_REPLICATED });
};
