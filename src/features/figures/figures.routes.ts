import { routesOf } from '../../http/pipeline/route.ts';
import * as s from '../../lib/schemas.ts';
import { member } from '../workspaces/access.ts';
import { attentionSchema, listAttention } from './attention.service.ts';
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

const busiest = (title: string, description: string) =>
  s.list(s.object(title, { id: s.string(), name: s.string(), calls: count }), description);

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
  agents_by_calls: busiest('BusyAgent', 'The agents with the most calls and messages in the period.'),
  channels_by_calls: busiest('BusyChannel', 'The same of channels that were not deleted.'),
});

export const figuresRoutes = {
  'GET /dashboard/api/figures': route({
    run: getHomeFigures,
    summary: 'Get the figures for the home page',
    query: figuresQuery,
    data: figuresSchema,
  }),

  'GET /dashboard/api/attention': route({
    run: listAttention,
    summary: 'List what needs attention',
    description: 'Owners also see what concerns webhooks, API keys and integrations.',
    data: attentionSchema,
  }),
};
