import type { Storage } from '../../db/storage.ts';
import { created, routesOf } from '../../http/pipeline/route.ts';
import { download, type StreamLimits } from '../../http/pipeline/stream-limits.ts';
import type { Runner } from '../../jobs/runner.ts';
import * as v from '../../lib/validation.ts';
import { assertMayFilter, checkFilter, withSegment } from '../contacts/contact.filters.ts';
import { EXPORT_TYPES, exportContacts, exportFormat, exportInclude } from '../imports/export.ts';
import { assertAlso } from '../workspaces/access.guard.ts';
import { needs } from '../workspaces/access.ts';
import type { Principal } from '../workspaces/principal.ts';
import {
  type BulkJobCreate,
  type BulkSelection,
  bulkJobCreate,
  bulkJobQuery,
  bulkJobReceipt,
  bulkJobSchema,
} from './bulk.schema.ts';
import * as service from './bulk.service.ts';
import { undoBulkJob } from './bulk.undo.ts';

const read = routesOf(needs('contacts:read'));
const write = routesOf(needs('contacts:write'));

const exportQuery = v.object({ format: exportFormat, include: exportInclude });

const assertMaySelect = (principal: Principal, selection: BulkSelection): void => {
  if (!('filter' in selection)) return;
  assertAlso(principal, 'contacts:read');
  assertMayFilter(principal, selection.filter);
};

/** The job of a segment has its filter: who is selected does not change with the segment. */
const withoutSegment = async (storage: Storage, principal: Principal, job: BulkJobCreate) => {
  if (job.action === 'rename_tag' || !('filter' in job.selection) || !job.selection.filter.segment)
    return job;
  const filter = await storage.run(withSegment, principal, job.selection.filter);
  return { ...job, selection: { ...job.selection, filter } };
};

/** Changes of many contacts in the background, and exports of a selection. */
export const bulkRoutes = (
  storage: Storage,
  {
    runner,
    limits,
    storage: unlimited,
  }: {
    readonly runner: Pick<Runner, 'wake'>;
    readonly limits: StreamLimits;
    /** A download runs many operations and must not be rejected halfway. */
    readonly storage: Storage;
  },
) => ({
  'POST /v1/bulk-jobs': write({
    operationId: 'createBulkJob',
    summary: 'Create a bulk job',
    description:
      'Tags, deletes or enrolls the selected contacts in the background, sets values of their fields, or renames a tag. Contacts that are created later are not part of the job. A workspace can have 20 unfinished jobs; another one is rejected with 409. A job with the action `export` is done immediately: download it from `/bulk-jobs/{id}/export`. An export and a selection by filter also require the scope `contacts:read`, and enrolling `campaigns:write` and `contacts:read`. Without `contacts:read`, the response has no counts. The filters `campaign` and `in_campaign` also require `campaigns:read`, and `called` and `last_activity_…` require `calls:read`.',
    body: bulkJobCreate,
    data: bulkJobReceipt,
    errors: ['NOT_FOUND', 'CONFLICT'],
    handle: async (request) => {
      const { principal, body } = request;
      assertAlso(principal, ...service.scopesOf(body));
      if (body.action !== 'rename_tag') assertMaySelect(principal, body.selection);
      const job = await withoutSegment(storage, principal, body);
      const count = await storage.run(service.countSelected, principal, job);
      const bulkJob = await storage.run(service.createBulkJob, principal, { job, count });
      const answer = await created(request, Promise.resolve(service.shownTo(principal, bulkJob)));
      runner.wake();
      return answer;
    },
  }),

  'GET /v1/bulk-jobs': read({
    run: service.listBulkJobs,
    summary: 'List bulk jobs',
    description: 'Newest first. Jobs are listed for 30 days after they have ended, exports for one day.',
    query: bulkJobQuery,
    data: bulkJobSchema,
    list: true,
  }),

  'GET /v1/bulk-jobs/:id': read({
    run: service.getBulkJob,
    summary: 'Get a bulk job',
    description: 'Shows the progress and the result.',
    data: bulkJobSchema,
  }),

  'POST /v1/bulk-jobs/:id/cancel': write({
    run: service.cancelBulkJob,
    summary: 'Cancel a bulk job',
    description: 'Stops a job that is queued or running. Its changes so far remain.',
    status: 200,
    data: bulkJobReceipt,
    errors: ['CONFLICT'],
  }),

  'POST /v1/bulk-jobs/:id/undo': write({
    operationId: 'undoBulkJob',
    summary: 'Undo a bulk job',
    description:
      'Creates a job with the action `undo`, which restores what a job has changed: the tags that it added or removed, at their positions, the former values of fields, and the enrollments that it made, unless someone has claimed or changed them. What was changed since stays. A job that has ended, was canceled or failed can be undone for 30 days, until `undo_until`; a delete or an export cannot. Of the undo, `changed` counts the restored contacts, `blocked` those that were changed since, and `missing` those that were deleted since. It requires the same scopes as creating the job.',
    data: bulkJobReceipt,
    errors: ['NOT_FOUND', 'CONFLICT'],
    handle: async ({ principal, params: { id }, path }) => {
      const undo = await storage.run(undoBulkJob, principal, { id });
      const answer = await created(
        { path: path.slice(0, path.lastIndexOf(`/${id}/`)) },
        Promise.resolve(service.shownTo(principal, undo)),
      );
      runner.wake();
      return answer;
    },
  }),

  'GET /v1/bulk-jobs/:id/export': read({
    operationId: 'downloadBulkExport',
    summary: 'Download an export',
    description:
      'The contacts of an export job as they are now, oldest first, as CSV or as one JSON object per line. Nothing is stored, so a deleted contact is not part of a later download. An export can be downloaded for one day. It requires the same scopes as the filters of the job.',
    query: exportQuery,
    file: Object.values(EXPORT_TYPES),
    errors: ['CONFLICT'],
    handle: async ({ principal, params: { id }, query: { format = 'csv', include } }) => {
      const stored = await storage.run(service.findExport, principal, { id });
      assertMaySelect(principal, stored);
      const selection =
        'filter' in stored
          ? { ...stored, filter: await storage.run(checkFilter, principal, { filter: stored.filter }) }
          : stored;
      const body = exportContacts(unlimited, principal, {
        selection,
        format,
        withFields: include === 'fields',
      });
      return download(limits.downloads, principal, {
        name: `contacts.${format}`,
        type: EXPORT_TYPES[format],
        body,
      });
    },
  }),
});
