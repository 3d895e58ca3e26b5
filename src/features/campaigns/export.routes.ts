import type { Storage } from '../../db/storage.ts';
import { writeRecords } from '../../files/csv/write.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { download, type StreamLimits } from '../../http/pipeline/stream-limits.ts';
import { needs } from '../workspaces/access.ts';
import { enrollmentExportQuery } from './campaign.schema.ts';
import { getCampaign } from './campaign.service.ts';
import { exportColumns, exportEnrollmentsStep } from './enrollment.export.ts';

const route = routesOf(needs('campaigns:read'));

export const campaignExportRoutes = (storage: Storage, { downloads }: StreamLimits) => ({
  'GET /v1/campaigns/:id/enrollments/export': route({
    operationId: 'exportCampaignEnrollments',
    summary: 'Export the enrollments of a campaign',
    description:
      'All enrollments of the campaign, or those with a status, oldest contacts first, as CSV, each with the last call on a channel of the agent since the contact was enrolled. For a key without the scope `contacts:read`, the columns with names and phone numbers are empty, and without `calls:read` those about calls.',
    query: enrollmentExportQuery,
    file: ['text/csv'],
    errors: ['NOT_FOUND'],
    handle: async ({ principal, params: { id }, query: filters }) => {
      const { id: campaign } = await storage.run(getCampaign, principal, { id });
      const body = writeRecords(exportColumns, (after: string | undefined, limit) =>
        storage.run(exportEnrollmentsStep, principal, { campaign, filters, after, limit }),
      );
      return download(downloads, principal, { name: 'enrollments.csv', type: 'text/csv', body });
    },
  }),
});
