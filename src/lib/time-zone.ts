const DAY_MS = 86_400_000;

/** Intl also accepts offsets such as `+01:00`, which are not names. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/;
export const TIME_ZONE_PATTERN = NAME.source;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Creating a formatter takes 30 times as long as using it. Throws a `RangeError` for an unknown zone. */
const formatterOf = (zone: string): Intl.DateTimeFormat => {
  const known = formatters.get(zone);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, formatter);
  return formatter;
};

/** The name of an IANA time zone in its usual case, or undefined if there is no such zone. An alias stays as it is. */
export const timeZoneName = (name: string): string | undefined => {
  if (!NAME.test(name)) return undefined;
  try {
    const known = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
    return known.toLowerCase() === name.toLowerCase() ? known : name;
  } catch {
    return undefined;
  }
};

/** The local time minus UTC at an instant, in milliseconds. Instants are epoch milliseconds after the year 0. */
export const zoneOffset = (zone: string, at: number): number => {
  if (zone === 'UTC') return 0;
  const seconds = Math.floor(at / 1000) * 1000;
  const local = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatterOf(zone).formatToParts(seconds)) {
    if (type in local) local[type as keyof typeof local] = Number(value);
  }
  const { year, month, day, hour, minute, second } = local;
  return Date.UTC(year, month - 1, day, hour, minute, second) - seconds;
};

/** The local wall time of an instant, `YYYY-MM-DDTHH:MM:SS`. */
export const localTime = (zone: string, at: number): string =>
  new Date(at + zoneOffset(zone, at)).toISOString().slice(0, 19);

/** The local day of an instant, `YYYY-MM-DD`. */
export const localDay = (zone: string, at: number): string => localTime(zone, at).slice(0, 10);

/** The offsets before and after a change near a wall time; the same if there is none. */
const offsetsNear = (zone: string, wall: number) => ({
  before: zoneOffset(zone, wall - DAY_MS),
  after: zoneOffset(zone, wall + DAY_MS),
});

const earliestAt = (zone: string, wall: number): number | undefined => {
  const { before, after } = offsetsNear(zone, wall);
  // The larger offset gives the earlier instant.
  return [Math.max(before, after), Math.min(before, after)]
    .map((offset) => ({ offset, at: wall - offset }))
    .find(({ offset, at }) => zoneOffset(zone, at) === offset)?.at;
};

/** The instant of a local wall time, `YYYY-MM-DDTHH:MM` or with seconds. A time that occurs twice, when clocks are set back, is
 *  the first one. A time that is skipped, when clocks are set forward, moves forward by the length of the gap. */
export const instantOf = (zone: string, local: string): number => {
  const wall = Date.parse(`${local}Z`);
  return earliestAt(zone, wall) ?? wall - offsetsNear(zone, wall).before;
};

/** The first instant at which a local wall time, `YYYY-MM-DDTHH:MM`, has come. A time that is skipped, when clocks are set
 *  forward, comes with the change. */
export const firstInstant = (zone: string, local: string): number => {
  const wall = Date.parse(`${local}Z`);
  const exact = earliestAt(zone, wall);
  if (exact !== undefined) return exact;
  const { before, after } = offsetsNear(zone, wall);
  let low = wall - after;
  let high = wall - before;
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (zoneOffset(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
};

/** The first instant of a local `YYYY-MM-DD` day. It is not always midnight: some zones skip it. */
export const startOfDay = (zone: string, day: string): number => firstInstant(zone, `${day}T00:00`);

/** Adds days to a `YYYY-MM-DD` day. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
