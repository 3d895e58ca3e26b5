import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { ApiError } from '../../lib/errors.ts';
import { recordCall } from '../calls/call.report.ts';
import type { CallEvent } from '../calls/call.schema.ts';
import { getCallSettings } from '../calls/call-settings.service.ts';
import { type Pin, requireSession } from '../calls/session.find.ts';
import type { Turn } from '../calls/transcript.schema.ts';
import { replaceTranscript } from '../calls/transcript.service.ts';
import { findTranscript } from '../calls/transcript.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { PlatformReport } from './adapter.ts';
import { withinLimits } from './payload.ts';

/** Undefined if Roster refuses what was asked for. */
const ifAccepted = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError && ['VALIDATION_ERROR', 'CONFLICT'].includes(error.code)) return undefined;
    throw error;
  }
};

/** A call's turns with further ones. One that was reported before has the same time, and is not repeated. */
const following = async (db: Db, { workspace }: Principal, call: string, turns: readonly Turn[]) => {
  const found = await db.get(findTranscript, { workspace, call });
  const before: Turn[] = found ? JSON.parse(found.turns) : [];
  const isKnown = (turn: Turn) =>
    before.some(({ speaker, text, at }) => speaker === turn.speaker && text === turn.text && at === turn.at);
  return withinLimits([...before, ...turns.filter((turn) => !isKnown(turn))]);
};

/** A turn can be the first report of a call, but does not say who called whom. A degraded session does not, either. */
const partiesOf = (session: Pin | undefined, event: CallEvent) => ({
  direction: session?.direction ?? event.direction,
  number: session?.number ?? event.number,
});

/** Records what a platform reports. No one corrects such a report, so what does not fit the workspace is left out: a disposition that it
 *  does not define, a session of another channel, a transcript while transcripts are off. */
export const recordPlatformCall = write(
  'recordPlatformCall',
  async (db, principal: Principal, report: PlatformReport & { channel: string }) => {
    const { channel, event, isPart = false } = report;
    const { session_id, disposition, ...rest } = event;
    const { dispositions, transcript_days } = await getCallSettings(db, principal);
    const isDefined = dispositions.some(({ key }) => key === disposition);
    const session =
      session_id === undefined
        ? undefined
        : await ifAccepted(requireSession(db, principal, { channel, session_id }));
    const usable = {
      ...rest,
      ...(isPart && partiesOf(session, event)),
      ...(isDefined && { disposition }),
      ...(session && { session_id }),
    };
    const { data, goals, ended_at, ...least } = usable;
    // Merged with what is known of the call, these may be too large or too early. Nothing is written before they are refused.
    const { id } =
      (await ifAccepted(recordCall(db, principal, { channel, event: usable }))) ??
      (await recordCall(db, principal, { channel, event: least }));
    if (transcript_days === null || report.turns.length === 0) return;
    const turns = isPart ? await following(db, principal, id, report.turns) : report.turns;
    await ifAccepted(replaceTranscript(db, principal, { id, turns, isPart }));
  },
);
