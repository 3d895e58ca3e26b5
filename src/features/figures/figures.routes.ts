import type { Storage } from '../../db/storage.ts';
import { ok, route } from '../../http/pipeline/route.ts';
import {
  dateTimeSchema,
  type JsonSchema,
  objectOf,
  objectSchema,
  queryInteger,
} from '../../lib/validation.ts';
import { recentDeploy } from '../agents/deploy.routes.ts';
import type { Principal } from '../workspaces/principal.ts';
import { DEFAULT_DAYS, getFigures, MAX_DAYS } from './figures.service.ts';

const figuresQuery = objectOf({
  days: queryInteger(1, MAX_DAYS, DEFAULT_DAYS, {
    description: 'Number of days, including today.',
  }),
});

const count: JsonSchema = { type: 'integer' };
const counted = (description: string): JsonSchema => ({ ...count, description });
const string: JsonSchema = { type: 'string' };
const counts: JsonSchema = { type: 'object', additionalProperties: count };

const figuresSchema = objectSchema('Figures', {
  contacts: count,
  calls: counted('Calls and messages.'),
  agents: count,
  active_agents: counted('Agents with a deployed version.'),
  channels: count,
  connected_channels: counted('Channels with an agent.'),
  campaigns: count,
  active_campaigns: count,
  days: {
    type: 'array',
    description: 'The last days in UTC, oldest first, including today.',
    items: objectSchema('DayFigures', {
      day: { type: 'string', format: 'date' },
      contacts: { ...counts, description: 'New contacts by source.' },
      calls: counted('Calls and messages that started on the day.'),
    }),
  },
  recent_deploys: { type: 'array', description: 'The ten most recent.', items: recentDeploy },
  recent_imports: {
    type: 'array',
    description: 'The ten most recent.',
    items: objectSchema('RecentImport', {
      id: string,
      name: string,
      state: string,
      totals: { ...counts, description: 'Rows by verdict and, after the import is applied, by effect.' },
      created_at: dateTimeSchema('When the file was uploaded.'),
      created_by: string,
      created_by_email: {
        type: ['string', 'null'],
        description: '`null` after the user is removed, and for the command line.',
      },
      applied_at: { oneOf: [dateTimeSchema('When all rows were applied.'), { type: 'null' }] },
    }),
  },
});

export const figuresRoutes = (storage: Storage) => ({
  home: route<Principal, ReturnType<typeof figuresQuery.read>>({
    access: 'member',
    query: figuresQuery,
    document: {
      group: 'Figures',
      operationId: 'getHomeFigures',
      summary: 'Get the figures for the home page',
      data: figuresSchema,
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, query }) => ok(storage.run(getFigures, principal, query)),
  }),
});
