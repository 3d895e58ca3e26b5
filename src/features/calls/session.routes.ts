import type { Storage } from '../../db/storage.ts';
import { MAX_HOOK_BODY, routesOf } from '../../http/pipeline/route.ts';
import { withTimeout } from '../../lib/concurrency.ts';
import type { Encryptor } from '../../lib/encryption.ts';
import { channelId, type RenderableVersion } from '../channels/channel.service.ts';
import { late } from '../channels/hook.routes.ts';
import type { ChannelPrincipal, KnownChannels } from '../channels/known-channels.ts';
import { hookAccess } from '../workspaces/access.ts';
import type { Principal } from '../workspaces/principal.ts';
import { sessionCreate, sessionResponse } from './session.schema.ts';
import { degradedSession, prepareSession, type SessionInput, startSession } from './session.service.ts';

const route = routesOf(hookAccess<ChannelPrincipal>('session', 'channelSecret'));

/** The longest wait for the database after the guard, so that a session starts within a second. */
const START_MS = 500;

/** Called by runtimes. */
export const sessionHooks = (
  storage: Storage,
  { encryptor, known }: { encryptor: Encryptor; known: KnownChannels },
) => {
  /** Undefined if this thread does not know what the channel's agent says. */
  const fromMemory = (input: SessionInput, version = known.versionOf(input.channel)) => {
    if (!version) return undefined;
    known.countDegraded();
    return degradedSession(encryptor, version, input);
  };

  const startInTime = async (principal: Principal, input: SessionInput) => {
    /** Once it is known. A write that is stored late has this version. */
    let version: RenderableVersion | undefined;
    let isLate = false;
    const start = async () => {
      const prepared = await storage.run(prepareSession, principal, input);
      if (!prepared.isNew) return prepared;
      const { json, mustCreate, row, rendering } = prepared;
      version = prepared.version;
      known.setVersion(input.channel, version);
      if (isLate) return late();
      const stored = await storage.run(startSession, principal, {
        // The agent may have changed since the channel was authenticated.
        input: { ...input, agent: row.agent_id },
        version: version.id,
        prepared: mustCreate ? undefined : { row, rendering },
      });
      return { ...stored, json: stored.json ?? json };
    };
    try {
      const started = await withTimeout(start(), START_MS, late);
      known.endDegraded();
      return started;
    } catch (error) {
      isLate = true;
      const degraded = known.canReplace(error) ? fromMemory(input, version) : undefined;
      if (!degraded) throw error;
      return degraded;
    }
  };

  return {
    'POST /hooks/channels/:id/sessions': route({
      operationId: 'startSession',
      summary: 'Start a conversation',
      description:
        "Returns what an agent needs to speak: the contact, the deployed version with its rendered instructions and its configuration, and the contact's last calls. An inbound call of an unknown number creates the contact. The same `provider_id` again returns the same session with 200.",
      params: { id: channelId.schema },
      body: sessionCreate,
      maxBody: MAX_HOOK_BODY,
      status: 200,
      data: sessionResponse,
      created: sessionResponse,
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: async ({ principal, body, path }) => {
        const { agent, address: near, degraded, ...who } = principal;
        const input = { ...body, channel: who.actor, agent, near };
        const { isNew, json } = (degraded && fromMemory(input)) || (await startInTime(who, input));
        return {
          status: isNew ? 201 : 200,
          // Sending the request there again returns the session.
          ...(isNew && { headers: { Location: path } }),
          body: `{"success":true,"data":${json}}`,
        };
      },
    }),
  };
};
