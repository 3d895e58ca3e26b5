import type { Storage } from '../../db/storage.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { isSameSecret } from '../../lib/encryption.ts';
import * as s from '../../lib/schemas.ts';
import { hookAccess } from '../workspaces/access.ts';
import { acceptedSecrets } from '../workspaces/grace-period.ts';
import type { Principal } from '../workspaces/principal.ts';
import { secretGuard } from '../workspaces/secret.guard.ts';
import { activeOnChannel, findHookChannel } from './channel.service.ts';

const route = routesOf(hookAccess<ChannelPrincipal>('channel', 'channelSecret'));

/** A runtime, which authenticates with the secret of its channel. */
export interface ChannelPrincipal extends Principal {
  readonly agent: string | null;
}

export const channelGuard = (storage: Storage) =>
  secretGuard<ChannelPrincipal>(async (id, secret) => {
    const channel = await storage.run(findHookChannel, null, { id });
    const hashes = channel ? acceptedSecrets(channel, 'secret_hash') : [undefined];
    if (!hashes.some((hash) => isSameSecret(secret, hash)) || !channel) return undefined;
    return { workspace: channel.workspace_id, actor: channel.id, agent: channel.agent_id };
  });

/** Called by runtimes. */
export const channelHooks = {
  'GET /hooks/channels/:id/agent': route({
    operationId: 'getChannelAgent',
    run: activeOnChannel,
    input: ({ principal: { agent } }) => ({ agent }),
    etag: (found) => ({ json: JSON.stringify(found), etag: `"${found.version_id}"` }),
    summary: 'Get the live instructions of a channel',
    description: "The deployed version of the channel's agent, never a draft.",
    data: s.object('ChannelAgent', {
      agent_id: s.string(),
      version_id: s.string(),
      version_label: s.string(),
      instructions: s.string(),
    }),
    hasEtag: true,
    errors: ['NOT_FOUND'],
  }),
};
