import type { Storage } from '../../db/storage.ts';
import { changedRecord, ifMatchOf, recordWithEtag } from '../../http/pipeline/preconditions.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { withEtag } from '../../lib/etag.ts';
import { needs } from '../workspaces/access.ts';
import { scheduleResponse, scheduleUpdate } from './schedule.schema.ts';
import { getSchedule, updateSchedule } from './schedule.service.ts';

const read = routesOf(needs('campaigns:read'));
const write = routesOf(needs('campaigns:write'));

export const scheduleRoutes = (storage: Storage) => ({
  'GET /v1/campaigns/:id/schedule': read({
    operationId: 'getCampaignSchedule',
    summary: 'Get the schedule of a campaign',
    data: scheduleResponse,
    hasEtag: true,
    handle: async (request) => {
      const found = storage.run(getSchedule, request.principal, { id: request.params.id });
      return recordWithEtag(request, withEtag(await found));
    },
  }),

  'PUT /v1/campaigns/:id/schedule': write({
    operationId: 'updateCampaignSchedule',
    summary: 'Replace the schedule of a campaign',
    description:
      'Sets when the campaign starts and ends automatically, when contacts may be called in their local time, and how often. Replaces the whole schedule: omitted fields are cleared.',
    body: scheduleUpdate,
    data: scheduleResponse,
    hasEtag: true,
    errors: ['CONFLICT'],
    handle: (request) => {
      const input = { id: request.params.id, fields: request.body, match: ifMatchOf(request) };
      return changedRecord(storage.run(updateSchedule, request.principal, input).then(withEtag));
    },
  }),
});
