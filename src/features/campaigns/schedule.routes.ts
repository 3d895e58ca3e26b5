import { routesOf } from '../../http/pipeline/route.ts';
import { needs } from '../workspaces/access.ts';
import { scheduleResponse, scheduleUpdate } from './schedule.schema.ts';
import { getCampaignSchedule, updateCampaignSchedule } from './schedule.service.ts';

const read = routesOf(needs('campaigns:read'));
const write = routesOf(needs('campaigns:write'));

export const scheduleRoutes = {
  'GET /v1/campaigns/:id/schedule': read({
    run: getCampaignSchedule,
    summary: 'Get the schedule of a campaign',
    data: scheduleResponse,
    hasEtag: true,
  }),

  'PUT /v1/campaigns/:id/schedule': write({
    run: updateCampaignSchedule,
    summary: 'Replace the schedule of a campaign',
    description:
      'Sets when the campaign starts and ends automatically, when contacts may be called in their local time, and how often. Replaces the whole schedule: omitted fields are cleared.',
    body: scheduleUpdate,
    data: scheduleResponse,
    hasEtag: true,
    errors: ['CONFLICT'],
  }),
};
