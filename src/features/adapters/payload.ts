import type { Problem } from '../../lib/errors.ts';
import { parseTime } from '../../lib/time.ts';
import { isObject } from '../../lib/validation.ts';
import { valueText } from '../agents/placeholders.ts';
import { type CallEvent, callEvent } from '../calls/call.schema.ts';
import { isPast } from '../calls/call.times.ts';
import { MAX_GOALS, resultKey } from '../calls/result.schema.ts';
import { MAX_TRANSCRIPT_BYTES, MAX_TURNS, type Turn } from '../calls/transcript.schema.ts';
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

/** A time in the past, in ISO 8601 or in milliseconds since 1970. */
export const timeIn = (payload: Payload, name: string): string | undefined => {
  const value = payload[name];
  const isNumber = typeof value === 'number' && value > 0 && value < 1e13;
  const text = isNumber ? new Date(value).toISOString() : value;
  const time = typeof text === 'string' ? parseTime(text) : undefined;
  return time !== undefined && isPast(time) ? time : undefined;
};

/** A number; NaN if it is none. */
export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

/** When a call started and ended, and how long it took. An end before the start is left out. */
export const timesOf = (started_at: string | undefined, ended_at: string | undefined) => {
  if (started_at === undefined || ended_at === undefined) return { started_at, ended_at };
  const ms = Date.parse(ended_at) - Date.parse(started_at);
  return ms < 0 ? { started_at } : { started_at, ended_at, seconds: Math.round(ms / 1_000) };
};

/** A cost in dollars, or in cents if there are 100 units in a dollar. */
export const costIn = (payload: Payload, name: string, units = 1): CallEvent['cost'] => {
  const amount = payload[name];
  return typeof amount === 'number' ? { amount: amount / units, currency: 'USD' } : undefined;
};

/** An entry of a table by the text of a member. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, key = ''): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** The results that an analysis found: all of its values as `data`, and of them a `disposition` and `goals`, unless it judged goals apart. */
export const resultsOf = (
  found: unknown,
  judged?: Payload,
): { readonly [N in 'data' | 'goals' | 'disposition']: CallEvent[N] | undefined } => {
  const data = isObject(found) ? found : undefined;
  const goals = Object.entries(judged ?? objectIn(data ?? {}, 'goals'))
    .filter((entry): entry is [string, boolean] => isKey(entry[0]) && typeof entry[1] === 'boolean')
    .slice(0, MAX_GOALS);
  return {
    data,
    goals: goals.length > 0 ? Object.fromEntries(goals) : undefined,
    disposition: data?.disposition as string | undefined,
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
  return withinLimits(messages.filter(isObject).flatMap((message) => turnOf(message) ?? []));
};

/** The turns that a transcript has room for. */
export const withinLimits = (turns: readonly Turn[]): Turn[] => {
  let left = MAX_TRANSCRIPT_BYTES;
  return turns.slice(0, MAX_TURNS).filter((turn) => {
    left -= Buffer.byteLength(JSON.stringify(turn)) + 1;
    return left > 0;
  });
};

/** The name of the session's id in the metadata of a call. */
export const SESSION = 'roster_session_id';

/** Where a platform can report one call whose reports do not name it. */
export const hookOf = (path: string, session: PlatformSession, provider_id: string): string =>
  `${path}?${new URLSearchParams({ [SESSION]: session.session_id, provider_id })}`;

/** What the hook of a call says about it. */
export const callOfHook = (query: URLSearchParams) => ({
  session_id: query.get(SESSION) ?? undefined,
  provider_id: query.get('provider_id') ?? undefined,
});

export const defined = (members: Payload): Payload =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const REQUIRED: ReadonlySet<string> = new Set(['type', 'provider_id', 'direction', 'number']);

const isReadable = ([name, value]: readonly [string, unknown]): boolean => {
  const problems: Problem[] = [];
  callEvent.fields[name as keyof typeof callEvent.fields]?.read(value, name, problems);
  return problems.length === 0;
};

/** An event without the members that Roster would refuse. Throws if the platform left out what a call needs. */
export const eventOf = (members: { readonly [N in keyof CallEvent]?: unknown }): CallEvent => {
  const usable = Object.entries(defined(members)).filter(
    (member) => REQUIRED.has(member[0]) || isReadable(member),
  );
  return callEvent.read(Object.fromEntries(usable));
};

/** What a prompt needs of a contact. The rest stays in Roster, because platforms keep what they get. */
const NAMES = ['first_name', 'last_name', 'display_name', 'company', 'phone_number'];

/** The values that a prompt on the platform can use: texts by name. Those of the request replace those of the contact, and those of the config both. */
export const variablesOf = (session: PlatformSession, configured: Payload = {}) => {
  const { contact, instructions, variables } = session;
  const own = Object.entries(contact ?? {}).filter(([name]) => NAMES.includes(name));
  const fields = Object.entries(objectIn(contact ?? {}, 'fields'));
  const values = [...own, ...fields, ...Object.entries(variables), ...Object.entries(configured)];
  const texts = values.map(([name, value]) => [name, valueText(value)] as const);
  return { ...Object.fromEntries(texts), instructions, [SESSION]: session.session_id };
};
