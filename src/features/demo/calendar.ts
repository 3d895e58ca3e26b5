import type { Dice } from './dice.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How busy each day of the week is, Sunday first. */
const WEEKDAYS = [0.12, 0.88, 1.05, 1, 0.96, 0.8, 0.3];

/** How busy each hour is, from seven to nineteen o'clock. */
const HOURS: Record<string, number> = {
  7: 5, 8: 11, 9: 14, 10: 15, 11: 11, 12: 6, 13: 8, 14: 12, 15: 11, 16: 8, 17: 4, 18: 2, 19: 1,
}; // biome-ignore format: a table

/** Random times in the past. */
export interface Calendar {
  readonly now: number;
  /** A time during working hours, `ago` days before today; undefined if it is not in the past yet. */
  moment(ago: number): number | undefined;
  /** Like `moment`, but on the day before if it is not in the past yet. */
  on(ago: number): number;
  /** A time during working hours within the last `days` days. */
  within(days: number): number;
  /** How busy a day is, relative to a Wednesday. */
  busyness(ago: number): number;
}

/** Nothing happens in the last minutes, so that every call has ended. */
const SETTLED_MS = 20 * MINUTE_MS;

export const createCalendar = (dice: Dice, now: number): Calendar => {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const busyness = (ago: number) => WEEKDAYS[new Date(today - ago * DAY_MS).getUTCDay()] as number;
  const moment = (ago: number) => {
    const hour = Number(dice.weighted(HOURS));
    const at = today - ago * DAY_MS + hour * HOUR_MS + dice.between(0, HOUR_MS - 1);
    return at < now - SETTLED_MS ? at : undefined;
  };
  const on = (ago: number): number => moment(ago) ?? on(ago + 1);
  const within = (days: number): number => {
    for (;;) {
      const ago = Math.floor(dice.roll() ** 1.25 * days);
      if (dice.chance(busyness(ago) / 1.05)) return on(ago);
    }
  };
  return { now, moment, on, within, busyness };
};

export const iso = (moment: number): string => new Date(moment).toISOString();
