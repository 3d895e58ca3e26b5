import type { Storage } from '../../db/storage.ts';
import { changedRecord, ifMatchOf, recordWithEtag } from '../../http/pipeline/preconditions.ts';
import { route } from '../../http/pipeline/route.ts';
import { withEtag } from '../../lib/etag.ts';
import { needs } from '../workspaces/access.ts';
import type { Principal } from '../workspaces/principal.ts';
import { campaignId } from './campaign.service.ts';
import { type ScheduleUpdate, scheduleResponse, scheduleUpdate } from './schedule.schema.ts';
import { getSchedule, updateSchedule } from './schedule.service.ts';

const access = { read: needs('campaigns:read'), write: needs('campaigns:write') };

const group = 'Campaigns';
const params = { id: campaignId.schema };

export const scheduleRoutes = (storage: Storage) => ({
  get: route<Principal>({
    access: access.read,
    document: {
      group,
      operationId: 'getCampaignSchedule',
      summary: 'Get the schedule of a campaign',
      params,
      data: scheduleResponse,
      hasEtag: true,
      errors: ['NOT_FOUND'],
    },
    handle: async (request) => {
      const found = storage.run(getSchedule, request.principal, { id: request.params.id });
      return recordWithEtag(request, withEtag(await found));
    },
  }),

  update: route<Principal, unknown, ScheduleUpdate>({
    access: access.write,
    body: scheduleUpdate,
    document: {
      group,
      operationId: 'updateCampaignSchedule',
      summary: 'Replace the schedule of a campaign',
      description:
        'Sets when the campaign starts and ends automatically, when contacts may be called in their local time, and how often. Replaces the whole schedule: omitted fields are cleared.',
      params,
      data: scheduleResponse,
      hasEtag: true,
      errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
    },
    handle: (request) => {
      const input = { id: request.params.id, fields: request.body, match: ifMatchOf(request) };
      return changedRecord(storage.run(updateSchedule, request.principal, input).then(withEtag));
    },
  }),
});
