import type { Storage } from '../../db/storage.ts';
import { writeRecords } from '../../files/csv/write.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { download, type StreamLimits } from '../../http/pipeline/stream-limits.ts';
import type { Position } from '../../records/list.ts';
import { needs } from '../workspaces/access.ts';
import { callFilterQuery } from './call-filter.schema.ts';
import { callColumns, exportCallsStep } from './call-list.service.ts';

const route = routesOf(needs('calls:read'));

export const callExportRoutes = (storage: Storage, { downloads }: StreamLimits) => ({
  'GET /v1/calls/export': route({
    operationId: 'exportCalls',
    summary: 'Export calls',
    description: 'All calls and messages, or those that match every filter, latest start first, as CSV.',
    query: callFilterQuery,
    file: ['text/csv'],
    handle: ({ principal, query: filters }) => {
      const body = writeRecords(callColumns, (after: Position | undefined, limit) =>
        storage.run(exportCallsStep, principal, { filters, after, limit }),
      );
      return download(downloads, principal, { name: 'calls.csv', type: 'text/csv', body });
    },
  }),
});
