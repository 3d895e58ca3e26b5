import type { Storage } from '../../db/storage.ts';
import { withTimeout } from '../../lib/concurrency.ts';
import type { Encryptor } from '../../lib/encryption.ts';
import type { RenderableVersion } from '../channels/channel.service.ts';
import { late } from '../channels/hook.guards.ts';
import type { ChannelPrincipal, KnownChannels } from '../channels/known-channels.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { SessionCreate } from './session.schema.ts';
import { degradedSession, prepareSession, type SessionInput, startSession } from './session.service.ts';

/** The longest wait for the database after the guard, so that a session starts within a second. */
const START_MS = 500;

export interface SessionParts {
  readonly encryptor: Encryptor;
  readonly known: KnownChannels;
}

/** Starts sessions, also without the database. The session is JSON. */
export const sessionStarter = (storage: Storage, { encryptor, known }: SessionParts) => {
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

  return async (principal: ChannelPrincipal, sent: SessionCreate) => {
    const { agent, address: near, adapter: _, degraded, ...who } = principal;
    const input = { ...sent, channel: who.actor, agent, near };
    return (degraded && fromMemory(input)) || (await startInTime(who, input));
  };
};
