import { routesOf } from '../../http/pipeline/route.ts';
import * as s from '../../lib/schemas.ts';
import { member } from '../workspaces/access.ts';
import { figuresQuery } from './figures.schema.ts';
import { getHomeFigures } from './figures.service.ts';

const route = routesOf(member);

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
