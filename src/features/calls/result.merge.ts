import { invalidField } from '../../lib/errors.ts';
import type { CallEvent } from './call.schema.ts';
import { type CallRow, isErased, type ResultColumns } from './call.store.ts';
import { dataSizeProblem, MAX_GOALS } from './result.schema.ts';

export const noResult: ResultColumns = {
  disposition: null,
  goals: null,
  ended_by: null,
  cost: null,
  recording_url: null,
  summary: null,
  text: null,
  data: null,
};

const parsed = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T));

/** The result's members of a call as the API shows them. */
export const resultOf = (row: ResultColumns) => ({
  disposition: row.disposition,
  goals: parsed<Record<string, boolean>>(row.goals) ?? {},
  ended_by: row.ended_by,
  cost: parsed<{ amount: number; currency: string }>(row.cost),
  recording_url: row.recording_url,
  summary: row.summary,
  text: row.text,
  data: parsed<Record<string, unknown>>(row.data) ?? {},
});

/** A column of members after those of a report. They are sorted, so the order of the reports does not matter. */
const merged = (stored: string | null, sent: object | undefined): string | null => {
  if (sent === undefined) return stored;
  const members = Object.entries({ ...parsed<object>(stored), ...sent });
  if (members.length === 0) return null;
  return JSON.stringify(Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1))));
};

const assertFits = ({ goals, data }: Pick<ResultColumns, 'goals' | 'data'>): void => {
  const count = goals === null ? 0 : Object.keys(JSON.parse(goals)).length;
  if (count > MAX_GOALS)
    throw invalidField(
      'goals',
      `must have at most ${MAX_GOALS} entries for a call; with these it would have ${count}.`,
    );
  const problem = data === null ? undefined : dataSizeProblem(data);
  if (problem !== undefined) throw invalidField('data', problem);
};

const PERSONAL = { summary: undefined, data: undefined, text: undefined, recording_url: undefined } as const;

/** The result of a call after a report: each field that it has replaces the former one, and those of goals and data each member. */
export const mergeResult = (
  known: ResultColumns & Pick<CallRow, 'medium' | 'number' | 'identity_id'>,
  event: CallEvent,
): ResultColumns => {
  if (event.text !== undefined && known.medium === 'call')
    throw invalidField(
      'text',
      'is only for messages. Send what was said with PUT /v1/calls/{id}/transcript.',
    );
  const sent = isErased(known) ? { ...event, ...PERSONAL } : event;
  const next = {
    disposition: sent.disposition ?? known.disposition,
    goals: merged(known.goals, sent.goals),
    ended_by: sent.ended_by ?? known.ended_by,
    cost: sent.cost ? JSON.stringify(sent.cost) : known.cost,
    recording_url: sent.recording_url ?? known.recording_url,
    summary: sent.summary ?? known.summary,
    text: sent.text ?? known.text,
    data: merged(known.data, sent.data),
  };
  if (sent.goals || sent.data) assertFits(next);
  return next;
};

/** The members of a report's data that are not the same in the stored ones. */
export const newData = (stored: string | null, sent: CallEvent['data'] = {}): Map<string, unknown> => {
  const before = parsed<Record<string, unknown>>(stored) ?? {};
  const isSame = (name: string, value: unknown) =>
    Object.hasOwn(before, name) && JSON.stringify(before[name]) === JSON.stringify(value);
  return new Map(Object.entries(sent).filter(([name, value]) => !isSame(name, value)));
};
