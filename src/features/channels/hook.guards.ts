import type { Storage } from '../../db/storage.ts';
import { isOverloaded } from '../../http/pipeline/load-shedding.ts';
import { withTimeout } from '../../lib/concurrency.ts';
import { isSameSecret } from '../../lib/encryption.ts';
import { unavailable } from '../../lib/errors.ts';
import { acceptedSecrets } from '../workspaces/grace-period.ts';
import { secretGuard } from '../workspaces/secret.guard.ts';
import { channelId, findHookChannel } from './channel.service.ts';
import type { ChannelRow } from './channel.store.ts';
import type { ChannelPrincipal, KnownChannels } from './known-channels.ts';

/** Whether a channel accepts the credential of a request. It takes the same time for a channel that does not exist. */
export type Accepts = (channel: ChannelRow | undefined) => boolean;

const principalOf = (channel: ChannelRow | undefined, accepts: Accepts): ChannelPrincipal | undefined => {
  if (!accepts(channel) || !channel) return undefined;
  const { workspace_id: workspace, id: actor, agent_id: agent, address, adapter } = channel;
  return { workspace, actor, agent, address, adapter };
};

const identify = async (storage: Storage, known: KnownChannels, id: string, accepts: Accepts) => {
  const readAt = performance.now();
  const channel = await storage.run(findHookChannel, null, { id });
  const principal = principalOf(channel, accepts);
  const key = channelId.parse(id);
  if (key !== undefined) known.update(key, channel, readAt, principal !== undefined);
  return principal;
};

const withSecret =
  (secret: string): Accepts =>
  (channel) => {
    const hashes = channel ? acceptedSecrets(channel, 'secret_hash') : [undefined];
    return hashes.some((hash) => isSameSecret(secret, hash));
  };

export const channelGuard = (storage: Storage, known: KnownChannels) =>
  secretGuard((id, secret) => identify(storage, known, id, withSecret(secret)));

/** The longest wait for the database, before the channel is authenticated by what this thread knows. */
const GUARD_MS = 300;

/** Throws in place of the database. */
export const late = () => {
  throw unavailable('The database has not answered in time. Retry in 1 second.');
};

/** Authenticates a caller also without the database. The principal is then `degraded`. */
export const authenticator =
  (storage: Storage, known: KnownChannels) =>
  async (
    id: string,
    accepts: Accepts,
    { isOverloaded = false } = {},
  ): Promise<ChannelPrincipal | undefined> => {
    const key = channelId.parse(id) ?? '';
    const fromMemory = () => principalOf(known.find(key), accepts);
    try {
      if (isOverloaded) throw unavailable('The service is overloaded. Retry in 1 second.');
      if (known.isLost && fromMemory()) throw unavailable();
      const fresh = known.findFresh(key);
      const principal = fresh && principalOf(fresh, accepts);
      return principal ?? (await withTimeout(identify(storage, known, id, accepts), GUARD_MS, late));
    } catch (error) {
      // Another credential may be a new one, so it is not refused: only the database knows.
      const principal = known.canReplace(error) ? fromMemory() : undefined;
      if (!principal) throw error;
      return { ...principal, degraded: true };
    }
  };

export const sessionGuard = (storage: Storage, known: KnownChannels) => {
  const authenticate = authenticator(storage, known);
  return secretGuard<ChannelPrincipal>((id, secret, request) =>
    authenticate(id, withSecret(secret), { isOverloaded: isOverloaded(request) }),
  );
};
