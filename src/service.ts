import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createHttpServer, drain, listen } from './http/server.ts';
import { describeError, type Log } from './kernel/log.ts';
import { openStorage } from './storage/open.ts';
import { createKeyAccess } from './workspaces/key.access.ts';
import { type SetUp, setUp } from './workspaces/setup.service.ts';

export interface Service {
  readonly url: string;
  readonly setUp: SetUp;
  /** Answers what was accepted, writes what is held back, and lets go of the database. */
  stop(): Promise<void>;
}

/** Starts the whole service: storage, workspace, application, server. */
export const startService = async (config: Config, log: Log): Promise<Service> => {
  const onFault = (error: unknown) => log.error('database fault', describeError(error));
  const storage = await openStorage(config.database, {
    thread: new URL('./thread.ts', import.meta.url),
    onFault,
  });
  const made = await storage.write(setUp, null, {
    withKey: config.apiKey === undefined,
    admin: config.admin,
  });
  const configured =
    config.apiKey === undefined ? undefined : { key: config.apiKey, workspace: made.workspace };
  const access = createKeyAccess(storage, configured, onFault);
  let stopping = false;
  const listener = createApp({
    storage,
    access,
    log,
    trustProxy: config.trustProxy,
    isStopping: () => stopping,
  });
  const server = createHttpServer({ listener, tls: config.tls });
  const address = await listen(server, config.port, config.host).catch(async (error) => {
    await access.close();
    await storage.close();
    throw error;
  });
  return {
    url: urlOf(address, config.tls !== undefined),
    setUp: made,
    stop: async () => {
      stopping = true;
      await drain(server);
      await access.close();
      await storage.close();
    },
  };
};

const urlOf = ({ address, family, port }: AddressInfo, tls: boolean) => {
  const host = family === 'IPv6' ? `[${address}]` : address;
  return `${tls ? 'https' : 'http'}://${host}:${port}`;
};
