import type { Storage } from '../../db/storage.ts';
import { MAX_HOOK_BODY, routesOf } from '../../http/pipeline/route.ts';
import { withTimeout } from '../../lib/concurrency.ts';
import { channelId, type Speech } from '../channels/channel.service.ts';
import { late } from '../channels/hook.routes.ts';
import type { ChannelPrincipal, KnownChannels } from '../channels/known-channels.ts';
import { hookAccess } from '../workspaces/access.ts';
import type { Principal } from '../workspaces/principal.ts';
import { sessionCreate, sessionResponse } from './session.schema.ts';
import { degradedSession, prepareSession, type SessionInput, startSession } from './session.service.ts';

const route = routesOf(hookAccess<ChannelPrincipal>('session', 'channelSecret'));

/** The longest wait for the database after the guard, so that a session starts within a second. */
const START_MS = 500;

/** A session that is being started. */
interface Starting {
  /** What its agent says, once it is known. A write that is stored late has this version. */
  speech?: Speech;
  isLate?: boolean;
}

/** Called by runtimes. */
export const sessionHooks = (storage: Storage, known: KnownChannels) => {
  const start = async (principal: Principal, input: SessionInput, starting: Starting) => {
    const prepared = await storage.run(prepareSession, principal, input);
    if (!prepared.isNew) return prepared;
    const { speech, json, mustCreate, row, rendering } = prepared;
    known.heard(input.channel, speech);
    starting.speech = speech;
    if (starting.isLate) return late();
    const stored = await storage.run(startSession, principal, {
      // The agent may have changed since the channel was authenticated.
      input: { ...input, agent: row.agent_id },
      version: row.version_id,
      prepared: mustCreate ? undefined : { row, rendering },
    });
    return { ...stored, json: stored.json ?? json };
  };

  /** Undefined if this thread does not know what the channel's agent says. */
  const fromMemory = (input: SessionInput, speech = known.speechOf(input.channel)) => {
    if (!speech) return undefined;
    known.degraded();
    return degradedSession(speech, input);
  };

  const startInTime = async (principal: Principal, input: SessionInput) => {
    const starting: Starting = {};
    try {
      const started = await withTimeout(start(principal, input, starting), START_MS, late);
      known.completed();
      return started;
    } catch (error) {
      starting.isLate = true;
      const degraded = known.canReplace(error) ? fromMemory(input, starting.speech) : undefined;
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
        const { isNew, id, json } = (degraded && fromMemory(input)) || (await startInTime(who, input));
        return {
          status: isNew ? 201 : 200,
          ...(isNew && { headers: { Location: `${path}/${id}` } }),
          body: `{"success":true,"data":${json}}`,
        };
      },
    }),
  };
};
