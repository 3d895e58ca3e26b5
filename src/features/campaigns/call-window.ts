import { zonesOfPhone } from '../../lib/phone-zones.ts';
import { zoneOffset } from '../../lib/time-zone.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** When contacts may be called, in their local time. `from` is inside the window, `to` is not. */
export interface CallWindow {
  readonly days: readonly Weekday[];
  /** `HH:MM`. */
  readonly from: string;
  /** `HH:MM`, up to `24:00`. */
  readonly to: string;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** The offsets of all time zones are multiples of it. */
const GRID_MINUTES = 15;
/** A window of one day per week opens at most this much later, also if the zones of a number are apart. */
const MAX_AHEAD_MINUTES = 9 * DAY_MINUTES;

export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** The group of a contact whose number has no known time zone. The time zone of the workspace counts. */
export const UNKNOWN_ZONE = '-';

/** The time zones of a contact as they are stored with its enrollment: contacts of a group are in the window at the same times. */
export const zoneGroupOf = (phone: string | null): string =>
  (phone === null ? undefined : zonesOfPhone(phone)) ?? UNKNOWN_ZONE;

const zonesOf = (group: string, workspaceZone: string): readonly string[] =>
  group === UNKNOWN_ZONE ? [workspaceZone] : group.split('&');

const isLocalTimeInside = ({ days, from, to }: CallWindow, localMinutes: number): boolean => {
  // 1970-01-01 was a Thursday.
  const day = weekdays[(((Math.floor(localMinutes / DAY_MINUTES) + 3) % 7) + 7) % 7] as Weekday;
  const time = ((localMinutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  return days.includes(day) && time >= minutesOf(from) && time < minutesOf(to);
};

const isInside = (window: CallWindow, zone: string, at: number): boolean =>
  isLocalTimeInside(window, Math.floor((at + zoneOffset(zone, at)) / MINUTE_MS));

/** Whether the contacts of a group may be called at an instant: it must be inside the window in all of their zones. */
export const isOpen = (window: CallWindow, group: string, workspaceZone: string, at: number): boolean =>
  zonesOf(group, workspaceZone).every((zone) => isInside(window, zone, at));

/** The first of the instants, in steps of 15 minutes and at the minutes of a wall time, at which `test` is true. All changes of
 *  clocks are at such instants. */
const firstInstant = (after: number, wall: string, test: (at: number) => boolean): number | undefined => {
  const grid = GRID_MINUTES * MINUTE_MS;
  const shift = (minutesOf(wall) % GRID_MINUTES) * MINUTE_MS;
  const start = Math.floor(after / grid) * grid;
  for (let step = start; step <= start + MAX_AHEAD_MINUTES * MINUTE_MS; step += grid) {
    for (const at of shift === 0 ? [step] : [step, step + shift]) if (at > after && test(at)) return at;
  }
  return undefined;
};

/** `zoneOffset` as a sum where the clocks of the zone do not change, which is much faster. */
const offsetsAfter = (zone: string, after: number): ((at: number) => number) => {
  const until = after + MAX_AHEAD_MINUTES * MINUTE_MS;
  const first = zoneOffset(zone, after);
  return zoneOffset(zone, until) === first ? () => first : (at) => zoneOffset(zone, at);
};

interface Search {
  readonly after: number;
  /** Whether the window is to be open. */
  readonly open: boolean;
}

const findFirstTime = (
  window: CallWindow,
  group: string,
  workspaceZone: string,
  { after, open }: Search,
): number | undefined => {
  const offsets = zonesOf(group, workspaceZone).map((zone) => offsetsAfter(zone, after));
  const isOpenAt = (at: number) =>
    offsets.every((offset) => isLocalTimeInside(window, Math.floor((at + offset(at)) / MINUTE_MS)));
  return firstInstant(after, open ? window.from : window.to, (at) => isOpenAt(at) === open);
};

/** Found times by window, group and zone. A time stays the first one until it has come; that there is none counts for a day. */
const found = new Map<string, { after: number; until: number; at: number | undefined }>();
const MAX_FOUND = 10_000;

/** Every claim needs these times for all groups of its campaign. A search takes up to 10 ms if the clocks of a zone change within its
 *  range. */
const firstTime = (
  window: CallWindow,
  group: string,
  workspaceZone: string,
  search: Search,
): number | undefined => {
  const { days, from, to } = window;
  const key = [search.open, from, to, days, group, group === UNKNOWN_ZONE ? workspaceZone : ''].join(' ');
  const known = found.get(key);
  if (known && known.after <= search.after && search.after < known.until) return known.at;
  const at = findFirstTime(window, group, workspaceZone, search);
  if (found.size >= MAX_FOUND) found.clear();
  found.set(key, { after: search.after, until: at ?? search.after + DAY_MINUTES * MINUTE_MS, at });
  return at;
};

/** When a closed window opens for a group. Undefined if it never does, because its zones are too far apart. */
export const nextOpening = (
  window: CallWindow,
  group: string,
  workspaceZone: string,
  after: number,
): number | undefined => firstTime(window, group, workspaceZone, { after, open: true });

/** When an open window closes for a group. Undefined if it never does. */
export const nextClosing = (
  window: CallWindow,
  group: string,
  workspaceZone: string,
  after: number,
): number | undefined => firstTime(window, group, workspaceZone, { after, open: false });
