import { parseTime } from '../../lib/time.ts';
import { isObject } from '../../lib/validation.ts';
import { unstorableIn } from '../agents/config.schema.ts';
import { valueText } from '../agents/placeholders.ts';
import { type CallEvent, callEvent } from '../calls/call.schema.ts';
import { dataSizeProblem, MAX_GOALS, resultKey } from '../calls/result.schema.ts';
import { isDegradedId, sessionId } from '../calls/session.find.ts';
import { MAX_TURNS, type Turn } from '../calls/transcript.schema.ts';
import { isWebUrl } from '../fields/field.values.ts';
import type { PlatformSession } from './adapter.ts';

/* Reads what platforms send. A member that cannot be used is left out, so that it does not cost the rest of a report. */

export type Payload = Readonly<Record<string, unknown>>;

/** A member that is an object, or else an empty one. */
export const objectIn = (payload: Payload, name: string): Payload => {
  const value = payload[name];
  return isObject(value) ? value : {};
};

/** The beginning of a member that is a text; undefined if there is none. */
export const textIn = (payload: Payload, name: string, max = 255): string | undefined => {
  const value = payload[name];
  if (typeof value !== 'string') return undefined;
  return value.replaceAll('\0', '').slice(0, max).toWellFormed().trim() || undefined;
};

/** A time in ISO 8601 or in milliseconds since 1970. */
export const timeIn = (payload: Payload, name: string): string | undefined => {
  const value = payload[name];
  if (typeof value === 'string') return parseTime(value);
  return typeof value === 'number' && value > 0 && value < 1e13 ? new Date(value).toISOString() : undefined;
};

export const secondsBetween = (from: string | undefined, to: string | undefined): number | undefined => {
  if (from === undefined || to === undefined || to < from) return undefined;
  return Math.round((Date.parse(to) - Date.parse(from)) / 1_000);
};

export const numberIn = (payload: Payload, name: string): number | undefined => {
  const value = payload[name];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
};

/** A cost in dollars, or in cents if there are 100 units in a dollar. */
export const costIn = (payload: Payload, name: string, units = 1): CallEvent['cost'] => {
  const amount = numberIn(payload, name);
  return amount === undefined ? undefined : { amount: amount / units, currency: 'USD' };
};

export const urlIn = (payload: Payload, name: string): string | undefined => {
  const value = payload[name];
  const isUsable = typeof value === 'string' && value.length <= 2_000 && isWebUrl(value);
  return isUsable && unstorableIn(value) === undefined ? value : undefined;
};

/** The results that an analysis found: all as `data`, and of them `goals` and `disposition`. */
export const resultsIn = (
  payload: Payload,
  name: string,
): Pick<CallEvent, 'data' | 'goals' | 'disposition'> => {
  const value = payload[name];
  if (!isObject(value) || unstorableIn(value) || dataSizeProblem(JSON.stringify(value))) return {};
  const goals = Object.entries(objectIn(value, 'goals'))
    .filter((entry): entry is [string, boolean] => isKey(entry[0]) && typeof entry[1] === 'boolean')
    .slice(0, MAX_GOALS);
  const disposition = value.disposition;
  return {
    data: value,
    ...(goals.length > 0 && { goals: Object.fromEntries(goals) }),
    ...(isKey(disposition) && { disposition }),
  };
};
const isKey = (value: unknown): value is string => {
  const problems: never[] = [];
  resultKey.read(value, '', problems);
  return problems.length === 0;
};

/** The turns of a list of messages, by the speakers of their roles. */
export const turnsIn = (
  payload: Payload,
  name: string,
  turnOf: (message: Payload) => { speaker: Turn['speaker']; text: string; at?: string } | undefined,
): Turn[] => {
  const messages = payload[name];
  if (!Array.isArray(messages)) return [];
  return messages
    .filter(isObject)
    .flatMap((message) => turnOf(message) ?? [])
    .slice(0, MAX_TURNS);
};

/** The id of a session that a platform returns with its call. */
export const sessionIn = (metadata: Payload): string | undefined => {
  const id = textIn(metadata, SESSION) ?? '';
  return isDegradedId(id) || sessionId.parse(id) !== undefined ? id : undefined;
};
/** The name of the session's id in the metadata of a call. */
export const SESSION = 'roster_session_id';

export const defined = (members: Payload): Payload =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Throws if the platform left out what a call needs. */
export const eventOf = (members: Payload): CallEvent => callEvent.read(defined(members));

/** The values that a prompt on the platform can use: texts by name. Those of the request come last. */
export const variablesOf = ({ contact, instructions, variables }: PlatformSession) => {
  const { fields = {}, crm_ids: _, ...own } = contact ?? {};
  const values = { ...own, ...(fields as Payload), ...variables };
  const texts = Object.entries(values).map(([name, value]) => [name, valueText(value)]);
  return { ...Object.fromEntries(texts), instructions } as Record<string, string>;
};
