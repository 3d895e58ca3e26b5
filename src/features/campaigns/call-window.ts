import { zonesOfPhone } from '../../lib/phone-zones.ts';
import { addDays, firstInstant, localDay, localTime } from '../../lib/time-zone.ts';

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

/** A window of one day per week opens at most this much later, also if the zones of a number are apart. */
const MAX_DAYS_AHEAD = 9;

/** The group of a contact whose number has no known time zone. The time zone of the workspace counts. */
export const UNKNOWN_ZONE = '-';

/** The time zones of a contact as they are stored with its enrollment: contacts of a group are in the window at the same times. */
export const zoneGroupOf = (phone: string | null): string =>
  (phone === null ? undefined : zonesOfPhone(phone)) ?? UNKNOWN_ZONE;

const zonesOf = (group: string, workspaceZone: string): readonly string[] =>
  group === UNKNOWN_ZONE ? [workspaceZone] : group.split('&');

const weekdayOf = (day: string) => weekdays[(new Date(day).getUTCDay() + 6) % 7] as Weekday;

const isInside = ({ days, from, to }: CallWindow, zone: string, at: number): boolean => {
  const local = localTime(zone, at);
  const time = local.slice(11, 16);
  return days.includes(weekdayOf(local.slice(0, 10))) && time >= from && time < to;
};

/** Whether the contacts of a group may be called at an instant: it must be inside the window in all of their zones. */
export const isOpen = (window: CallWindow, group: string, workspaceZone: string, at: number): boolean =>
  zonesOf(group, workspaceZone).every((zone) => isInside(window, zone, at));

/** The latest local time of a group, `HH:MM`. An open window closes first for the group in which it is latest. */
export const latestTime = (group: string, workspaceZone: string, at: number): string =>
  zonesOf(group, workspaceZone)
    .map((zone) => localTime(zone, at).slice(11, 16))
    .reduce((one, other) => (one > other ? one : other));

/** When a closed window opens for a group: at an opening in one of its zones. Undefined if it never does, because its zones are too
 *  far apart. A time that occurs twice, when clocks are set back, counts once. */
export const nextOpening = (
  window: CallWindow,
  group: string,
  workspaceZone: string,
  after: number,
): number | undefined => {
  const openings = zonesOf(group, workspaceZone).flatMap((zone) => {
    const today = localDay(zone, after);
    const days = Array.from({ length: MAX_DAYS_AHEAD }, (_, ahead) => addDays(today, ahead));
    return days
      .filter((day) => window.days.includes(weekdayOf(day)))
      .map((day) => firstInstant(zone, `${day}T${window.from}`));
  });
  return openings
    .toSorted((one, other) => one - other)
    .find((at) => at > after && isOpen(window, group, workspaceZone, at));
};
