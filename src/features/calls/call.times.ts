import { timestamp } from '../../lib/clock.ts';
import { invalidField } from '../../lib/errors.ts';
import { type CallEvent, type CallStatus, callStatuses, finalStatuses } from './call.schema.ts';
import type { CallRow } from './call.store.ts';

/* When calls start and end, and in which order their statuses follow each other. Reports may arrive late and in any order. */

const hasEnded = (status: CallStatus | undefined) => status !== undefined && finalStatuses.includes(status);

const plusSeconds = (at: string, seconds: number) => new Date(Date.parse(at) + seconds * 1_000).toISOString();

/** When a new call started, as reported or by its end and its duration; undefined for now. A call whose first report is its
 *  final one has just ended. */
export const startOf = ({ started_at, ended_at, status, seconds = 0 }: CallEvent): string | undefined => {
  if (started_at !== undefined) return started_at;
  const end = ended_at ?? (hasEnded(status) && seconds > 0 ? timestamp() : undefined);
  return end && plusSeconds(end, -seconds);
};

/** When a call ended, as reported or by its start and its duration; null if unknown. A provider may report whole seconds or have
 *  another clock, so the reported end can be before the recorded start. */
export const endOf = (
  call: Pick<CallRow, 'medium' | 'status' | 'started_at' | 'ended_at' | 'seconds'>,
): string | null => {
  const { medium, status, started_at, ended_at, seconds } = call;
  const isDerived = ended_at === null && medium === 'call' && hasEnded(status) && seconds !== null;
  const end = isDerived ? plusSeconds(started_at, seconds) : ended_at;
  const now = timestamp();
  const past = isDerived && end !== null && end > now ? now : end;
  return past !== null && past < started_at ? started_at : past;
};

const TOLERANCE_MS = 300_000;

/** Whether a time has come, by a clock that may differ from ours. */
export const isPast = (at: string): boolean => at <= new Date(Date.now() + TOLERANCE_MS).toISOString();

/** A call in the future would remain the latest contact of its contact forever. */
export const assertPast = (
  { started_at, ended_at }: Pick<CallEvent, 'started_at' | 'ended_at'>,
  known?: CallRow,
) => {
  for (const [field, at] of Object.entries({ started_at, ended_at })) {
    if (at !== undefined && !isPast(at)) throw invalidField(field, 'must not be in the future.');
  }
  // The recorded start can be from the clock of the service, the end is from that of the caller.
  const start = started_at ?? known?.started_at;
  const earliest = started_at ?? (known && plusSeconds(known.started_at, -TOLERANCE_MS / 1_000));
  if (earliest !== undefined && ended_at !== undefined && ended_at < earliest)
    throw invalidField('ended_at', `must not be before the start of the call, ${start}.`);
};

/** Statuses are declared in their order; all final ones are the same stage. Reports may arrive out of order; one of an earlier
 *  stage is ignored. */
const stageOf = (status: CallStatus): number =>
  hasEnded(status) ? callStatuses.length : callStatuses.indexOf(status);

/** A final status never changes, except that a sent message may still fail to be delivered. */
export const isProgress = (known: CallRow, status: CallStatus): boolean =>
  stageOf(status) > stageOf(known.status) ||
  (known.medium === 'message' && known.status === 'completed' && status === 'failed');
