import { DAY_MS } from '../../lib/clock.ts';
import * as v from '../../lib/validation.ts';
import { day } from '../calls/outcome.schema.ts';

export const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

export const figuresQuery = v.object(
  {
    days: v.queryInteger(1, MAX_DAYS, DEFAULT_DAYS, {
      description: 'Number of days, including today.',
    }),
    from: v.optional(day, 'The first day, in the time zone of the workspace; needs `to`.'),
    to: v.optional(day, 'The last day; needs `from`.'),
    month: v.described(
      v.oneOf(['this', 'last']),
      'A calendar month instead of `days`, `from` and `to`: this one up to today, or the last one. It is compared with the month before; this one, with as many of its days.',
    ),
  },
  {
    check: ({ days, from, to, month }) => {
      if (month !== undefined && [days, from, to].some((each) => each !== undefined))
        return [{ field: 'month', message: 'must not be sent with days, from or to.' }];
      if ((from === undefined) !== (to === undefined))
        return [{ field: from === undefined ? 'from' : 'to', message: 'is required: send from and to.' }];
      if (from === undefined) return [];
      const count = (Date.parse(String(to)) - Date.parse(String(from))) / DAY_MS + 1;
      if (count < 1) return [{ field: 'to', message: 'must not be before from.' }];
      return count > MAX_DAYS
        ? [{ field: 'to', message: `must be at most ${MAX_DAYS - 1} days after from.` }]
        : [];
    },
  },
);
export type FiguresQuery = ReturnType<typeof figuresQuery.read>;
