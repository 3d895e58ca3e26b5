import type { Storage } from '../../db/storage.ts';
import { openUpload } from '../../http/pipeline/multipart.ts';
import { created, ok, routesOf } from '../../http/pipeline/route.ts';
import { download, type StreamLimits } from '../../http/pipeline/stream-limits.ts';
import type { Runner } from '../../jobs/runner.ts';
import { pageFields } from '../../lib/page.ts';
import * as v from '../../lib/validation.ts';
import { needs } from '../workspaces/access.ts';
import type { Principal } from '../workspaces/principal.ts';
import { getSettings } from '../workspaces/settings.service.ts';
import { startApply } from './apply.service.ts';
import {
  type FileQuery,
  fileQuery,
  type ImportQuery,
  importQuery,
  importResponses,
  MAX_NAME,
  replanBody,
  reportQuery,
  rowQuery,
} from './import.schema.ts';
import { filterOf, getImport, getImportReasons, listImports, listRows } from './import.service.ts';
import { deleteImport } from './lifecycle.service.ts';
import { startReplan } from './plan.service.ts';
import { planFile, previewFile } from './plan-file.ts';
import { reportCsv } from './report.ts';
import { previewUndo, startUndo, type UndoPreview } from './undo.service.ts';

const route = routesOf(needs('imports:write'));
/** The verdicts of a plan tell whether contacts exist and have the values of a file, which the caller chooses. */
const withContacts = routesOf(needs('imports:write', { also: ['contacts:read'] }));

const listQuery = v.object(pageFields);

interface ImportParts {
  readonly runner: Pick<Runner, 'wake'>;
  readonly limits: StreamLimits;
  /** In bytes. */
  readonly importQuota: number;
}

/** Upload a file, review its plan, apply it, undo it. */
export const importRoutes = (storage: Storage, { runner, limits, importQuota }: ImportParts) => {
  /** A started job does not wait for the next poll. */
  const observe = () => runner.wake();
  const uploading = async <T>(principal: Principal, read: () => Promise<T>): Promise<T> => {
    const release = await limits.uploads(principal);
    try {
      return await read();
    } finally {
      release();
    }
  };
  return {
    'POST /v1/imports/columns': route<FileQuery, AsyncIterable<Buffer>>({
      operationId: 'previewImportColumns',
      summary: 'Preview the columns of a file',
      description:
        'The body is the first bytes of a CSV file, up to 1 MiB, or a whole .xlsx workbook, up to 20 MiB, as it is or as the only part of a form. Returns how the file would be read; nothing is stored.',
      query: fileQuery,
      body: 'stream',
      status: 200,
      data: importResponses.beginning,
      handle: ({ principal, body, query, headers }) =>
        ok(
          uploading(principal, async () => {
            const { bytes } = await openUpload(headers['content-type'], body);
            return previewFile(storage, principal, { ...query, bytes });
          }),
        ),
    }),

    'POST /v1/imports': withContacts<ImportQuery, AsyncIterable<Buffer>>({
      operationId: 'createImport',
      summary: 'Upload a file and plan its import',
      description:
        'The body is the CSV file or .xlsx workbook, as it is or as the only part of a form. The response follows when every row has a verdict; contacts do not change yet. 409 if the rows of all imports would exceed the storage of the workspace: delete imports that are no longer needed. 404 or 409 if no one can be enrolled in the campaign.',
      query: importQuery,
      body: 'stream',
      data: importResponses.import,
      errors: ['CONFLICT', 'NOT_FOUND'],
      handle: async (request) => {
        const { principal, query } = request;
        const { name, mapping, create_fields, encoding, header_row, sheet, ...rest } = query;
        const { default_country: country } = await storage.run(getSettings, principal, null);
        const options = { country, ...rest };
        const id = await uploading(principal, async () => {
          const upload = await openUpload(request.headers['content-type'], request.body);
          return planFile(storage, principal, {
            name: name ?? [...(upload.name ?? 'import.csv')].slice(0, MAX_NAME).join(''),
            options,
            mapping,
            create_fields,
            choices: { encoding, header_row, sheet },
            bytes: upload.bytes,
            quota: importQuota,
            // The length of a form is not the size of its file.
            size: upload.isForm ? 0 : Number(request.headers['content-length'] ?? 0),
          });
        });
        return created(request, storage.run(getImport, principal, { id }));
      },
    }),

    'GET /v1/imports': route({
      run: listImports,
      summary: 'List imports',
      query: listQuery,
      data: importResponses.import,
      list: true,
    }),

    'GET /v1/imports/:id': route({
      run: getImport,
      summary: 'Get an import',
      data: importResponses.import,
    }),

    'PATCH /v1/imports/:id': withContacts({
      operationId: 'replanImport',
      run: startReplan,
      observe,
      summary: 'Plan an import again',
      description: 'With different columns, options or header row.',
      body: replanBody,
      data: importResponses.import,
      errors: ['CONFLICT'],
    }),

    'GET /v1/imports/:id/rows': route({
      operationId: 'listImportRows',
      run: listRows,
      summary: 'List the rows of an import',
      description:
        'Cells are truncated to 1,000 characters and rows to 16,000; the report has all that is stored. `include` shows stored values of contacts, so it also requires the scope `contacts:read`.',
      query: rowQuery,
      data: importResponses.row,
      list: true,
    }),

    'GET /v1/imports/:id/reasons': route({
      run: getImportReasons,
      summary: 'Get the reasons of an import',
      description:
        'Why rows are rejected, or imported without a cell, with counts. `GET …/rows?reason=…` lists the rows of a reason.',
      data: importResponses.reasons,
    }),

    'GET /v1/imports/:id/report.csv': route({
      operationId: 'downloadImportReport',
      summary: 'Download the report of an import',
      description:
        'Every row with its verdict and effect, or those of a filter, as CSV. You can correct the file and import it again.',
      query: reportQuery,
      file: ['text/csv'],
      handle: async ({ principal, params: { id }, query }) => {
        filterOf(query);
        const found = await storage.run(getImport, principal, { id });
        const body = reportCsv(storage, principal, found, query);
        return download(limits.downloads, principal, { name: `${id}.csv`, type: 'text/csv', body });
      },
    }),

    'POST /v1/imports/:id/apply': route({
      operationId: 'applyImport',
      run: startApply,
      observe,
      summary: 'Apply an import',
      description:
        'Runs in the background. Read the import for its progress. An import with a campaign also requires the scopes `campaigns:write` and `contacts:read`; 409 if the campaign is finished or deleted.',
      status: 200,
      data: importResponses.import,
      errors: ['CONFLICT'],
    }),

    'GET /v1/imports/:id/undo': route({
      operationId: 'previewImportUndo',
      summary: 'Preview the undo of an import',
      description:
        'What an undo would do now, as numbers of contacts and enrollments. Changes nothing. An import with a campaign also requires the scope `campaigns:write`.',
      data: importResponses.undo,
      errors: ['CONFLICT'],
      handle: async ({ principal, params: { id } }) => {
        const sums: Record<string, number> = {};
        for (let after: number | null = 0; after !== null; ) {
          const { counts, next }: UndoPreview = await storage.run(previewUndo, principal, { id, after });
          for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
          after = next;
        }
        return ok(Promise.resolve(sums));
      },
    }),

    'POST /v1/imports/:id/undo': route({
      operationId: 'undoImport',
      run: startUndo,
      observe,
      summary: 'Undo an import',
      description:
        'Possible for 30 days. Contacts whose imported values were changed since, and new ones that a dialer had claimed, are left as they are; their rows have the effect `edited_since`. An import with a campaign also requires the scope `campaigns:write`.',
      status: 200,
      data: importResponses.import,
      errors: ['CONFLICT'],
    }),

    'DELETE /v1/imports/:id': route({
      run: deleteImport,
      observe,
      summary: 'Delete an import',
      errors: ['CONFLICT'],
    }),
  };
};
