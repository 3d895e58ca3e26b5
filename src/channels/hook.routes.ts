import { secretGuard } from '../http/credentials.ts';
import { record, route } from '../http/route.ts';
import { isSameSecret } from '../kernel/seal.ts';
import type { Storage } from '../storage/storage.ts';
import type { Principal } from '../workspaces/principal.ts';
import { activeOnChannel, findHookChannel } from './channel.service.ts';

/** A runtime on a channel, known by the channel's secret. */
export interface ChannelPrincipal extends Principal {
  readonly agent: string | null;
}

export const channelGuard = (storage: Storage) =>
  secretGuard<ChannelPrincipal>(async (id, secret) => {
    const channel = await storage.read(findHookChannel, null, { id });
    if (!channel || !isSameSecret(secret, channel.secret_hash)) return undefined;
    return { workspace: channel.workspace_id, actor: channel.id, agent: channel.agent_id };
  });

/** What a runtime on a channel asks. */
export const channelHooks = (storage: Storage) => ({
  agent: route<ChannelPrincipal>({
    access: 'channel',
    handle: async ({ principal, headers }) => {
      const active = await storage.read(activeOnChannel, principal, { agent: principal.agent });
      const etag = `"${active.version_id}"`;
      const known = (headers['if-none-match'] ?? '')
        .split(/\s*,\s*/)
        .some((each) => each.replace(/^W\//, '') === etag || each === '*');
      if (known) return { status: 304, body: '', headers: { ETag: etag } };
      return { ...(await record(active)), headers: { ETag: etag } };
    },
  }),
});
