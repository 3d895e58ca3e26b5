import { record, route } from '../http/route.ts';
import { exactly, type JsonSchema, timeSchema } from '../kernel/shape.ts';
import type { Storage } from '../storage/storage.ts';
import type { Principal } from '../workspaces/principal.ts';
import { getFigures } from './figures.service.ts';

const count: JsonSchema = { type: 'integer' };
const string: JsonSchema = { type: 'string' };

const figuresSchema = exactly('Figures', {
  contacts: count,
  agents: count,
  channels: count,
  connected_channels: count,
  days: {
    type: 'array',
    description: 'The last thirty days, oldest first.',
    items: exactly('DayFigures', {
      day: { type: 'string', format: 'date' },
      contacts: { type: 'object', additionalProperties: count, description: 'New contacts by source.' },
      calls: count,
    }),
  },
  recent_deploys: {
    type: 'array',
    items: exactly('RecentDeploy', {
      agent_id: string,
      agent_name: string,
      version_label: string,
      deployed_at: timeSchema('When it was deployed.'),
      deployed_by: string,
      note: { type: ['string', 'null'] },
    }),
  },
});

export const figuresRoutes = (storage: Storage) => ({
  home: route<Principal>({
    access: 'member',
    document: {
      group: 'Figures',
      summary: 'Get the figures of the home page',
      data: figuresSchema,
      errors: [],
    },
    handle: ({ principal }) => record(storage.scan(getFigures, principal, null)),
  }),
});
