import { routesOf } from '../../http/pipeline/route.ts';
import * as s from '../../lib/schemas.ts';
import { parseDay } from '../../lib/time.ts';
import * as v from '../../lib/validation.ts';
import { member } from '../workspaces/access.ts';
import { DAY_MS, DEFAULT_DAYS, figureMonths, getHomeFigures, MAX_DAYS } from './figures.service.ts';

const route = routesOf(member);

/** A `YYYY-MM-DD` day. */
const day = v.checked<string>({ type: 'string', format: 'date' }, (value) =>
  typeof value === 'string' && parseDay(value) ? undefined : 'must be a day, for example 2026-01-31.',
);

const figuresQuery = v.object(
  {
    days: v.queryInteger(1, MAX_DAYS, DEFAULT_DAYS, {
      description: 'Number of days, including today.',
    }),
    from: v.optional(day, 'The first day, in the time zone of the workspace; needs `to`.'),
    to: v.optional(day, 'The last day; needs `from`.'),
    month: v.described(
      v.oneOf(figureMonths),
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

const count = s.integer();

const dayString: s.JsonSchema = { type: 'string', format: 'date' };
const ofPeriod = {
  contacts: s.mapOf(count, 'New contacts by source.'),
  calls: s.integer('Calls and messages that started.'),
  statuses: s.mapOf(count, 'The same by status. A status without calls is missing.'),
};

const figuresSchema = s.object('Figures', {
  contacts: count,
  calls: s.integer('Calls and messages.'),
  agents: count,
  active_agents: s.integer('Agents with a deployed version.'),
  channels: count,
  connected_channels: s.integer('Channels with an agent.'),
  campaigns: count,
  active_campaigns: count,
  time_zone: s.string('The time zone of the days.'),
  from: { ...dayString, description: 'The first day.' },
  to: { ...dayString, description: 'The last day.' },
  previous: {
    ...s.object('PreviousFigures', { from: dayString, to: dayString, ...ofPeriod }),
    description: 'The period of the same length before; with `month`, the month before.',
  },
  days: s.list(s.object('DayFigures', { day: dayString, ...ofPeriod }), 'Oldest first.'),
});

export const figuresRoutes = {
  'GET /dashboard/api/figures': route({
    run: getHomeFigures,
    summary: 'Get the figures for the home page',
    query: figuresQuery,
    data: figuresSchema,
  }),
};
