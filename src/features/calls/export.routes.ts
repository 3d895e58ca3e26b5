import type { Storage } from '../../db/storage.ts';
import { type Cell, inSteps, writeCsv } from '../../files/csv/write.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { download, type StreamLimits } from '../../http/pipeline/stream-limits.ts';
import type { Position } from '../../records/list.ts';
import { needs } from '../workspaces/access.ts';
import type { Principal } from '../workspaces/principal.ts';
import { type CallFilterQuery, callFilterQuery } from './call-filter.schema.ts';
import { callColumns, type ExportedCall, exportCallsStep } from './call-list.service.ts';

const route = routesOf(needs('calls:read'));

/** Objects are JSON; an empty one is an empty cell. */
const cellOf = (value: ExportedCall[keyof ExportedCall]): Cell => {
  if (typeof value === 'boolean') return String(value);
  if (value === null || typeof value !== 'object') return value;
  return Object.keys(value).length === 0 ? null : JSON.stringify(value);
};

/** Streams the calls that match the filters, newest first. */
const exportCalls = (storage: Storage, principal: Principal, filters: CallFilterQuery) => {
  async function* rows() {
    const steps = inSteps((after: Position | undefined, limit) =>
      storage.run(exportCallsStep, principal, { filters, after, limit }),
    );
    for await (const calls of steps) yield calls.map((call) => callColumns.map((name) => cellOf(call[name])));
  }
  return writeCsv(callColumns, rows());
};

export const callExportRoutes = (storage: Storage, { downloads }: StreamLimits) => ({
  'GET /v1/calls/export': route({
    operationId: 'exportCalls',
    summary: 'Export calls',
    description: 'All calls and messages, or those that match every filter, latest start first, as CSV.',
    query: callFilterQuery,
    file: ['text/csv'],
    handle: ({ principal, query }) => {
      const body = exportCalls(storage, principal, query);
      return download(downloads, principal, { name: 'calls.csv', type: 'text/csv', body });
    },
  }),
});
