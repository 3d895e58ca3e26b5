import type { Storage } from '../../db/storage.ts';
import { type Cell, inSteps, writeCsv } from '../../files/csv/write.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { download, type StreamLimits } from '../../http/pipeline/stream-limits.ts';
import { localDay } from '../../lib/time-zone.ts';
import type { Position } from '../../records/list.ts';
import { needs } from '../workspaces/access.ts';
import type { Principal } from '../workspaces/principal.ts';
import { getSettings } from '../workspaces/settings.service.ts';
import { type CallFilterQuery, callFilterQuery } from './call-filter.schema.ts';
import { callColumns, type ExportedCall, exportCallsStep } from './call-list.service.ts';

const route = routesOf(needs('calls:read'));

/** Objects are JSON; an empty one is an empty cell. */
const cellOf = (value: ExportedCall[keyof ExportedCall]): Cell => {
  if (typeof value === 'boolean') return String(value);
  if (value === null || typeof value !== 'object') return value;
  return Object.keys(value).length === 0 ? null : JSON.stringify(value);
};

const cellsOf = (call: ExportedCall) => callColumns.map((name) => cellOf(call[name]));

/** Streams the calls that match the filters, newest first. */
const exportCalls = (storage: Storage, principal: Principal, filters: CallFilterQuery) => {
  async function* rows() {
    const steps = inSteps((after: Position | undefined, limit) =>
      storage.run(exportCallsStep, principal, { filters, after, limit }),
    );
    for await (const calls of steps) yield calls.map(cellsOf);
  }
  return writeCsv(callColumns, rows());
};

/** `calls-2026-11-01-2026-11-09.csv`: the days of the export in the time zone of the workspace, up to today. */
const fileName = ({ started_since, started_before }: CallFilterQuery, zone: string): string => {
  const last = started_before === undefined ? Date.now() : Date.parse(started_before) - 1;
  const days = [
    ...(started_since === undefined ? [] : [localDay(zone, Date.parse(started_since))]),
    localDay(zone, last),
  ];
  return `calls-${[...new Set(days)].join('-')}.csv`;
};

export const callExportRoutes = (storage: Storage, { downloads }: StreamLimits) => ({
  'GET /v1/calls/export': route({
    operationId: 'exportCalls',
    summary: 'Export calls',
    description: 'All calls and messages, or those that match every filter, latest start first, as CSV.',
    query: callFilterQuery,
    file: ['text/csv'],
    handle: async ({ principal, query }) => {
      const { time_zone } = await storage.run(getSettings, principal, null);
      const body = exportCalls(storage, principal, query);
      return download(downloads, principal, { name: fileName(query, time_zone), type: 'text/csv', body });
    },
  }),
});
