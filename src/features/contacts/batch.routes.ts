import type { Storage } from '../../db/storage.ts';
import { ok, routesOf } from '../../http/pipeline/route.ts';
import { attempt, invalidField } from '../../lib/errors.ts';
import { needs } from '../workspaces/access.ts';
import type { Principal } from '../workspaces/principal.ts';
import {
  atomicError,
  type BatchOperation,
  batchBody,
  batchResponse,
  failed,
  MAX_OPERATIONS,
  type RowResult,
  readOperation,
} from './batch.schema.ts';
import { batchContacts } from './contact.batch.ts';
import { assertMayInclude, includeMembers } from './contact.include.ts';
import { sourceOf } from './contact.routes.ts';
import { includeQuery } from './contact.schema.ts';
import { phoneProblem } from './phone.ts';

const route = routesOf(needs('contacts:write'));

/** 16 bodies of this size fit into the memory for incomplete bodies (see request-input.ts). */
const MAX_BODY = 4 * 1_048_576;
/** More than a thousand operations with all texts and fifty tags have. */
const MAX_VALUES = 75 * MAX_OPERATIONS;

/** The operation reports an invalid new number without a message (see contact.batch.ts). */
const withMessage = (result: RowResult, operation: BatchOperation): RowResult => {
  if (result.error?.message !== '' || operation.op !== 'update') return result;
  const message = phoneProblem(operation.fields.phone_number ?? '') ?? 'is not valid.';
  return failed(invalidField('phone_number', message));
};

/** Adds the included members to the results of creates and updates. */
const withMembers = async (
  storage: Storage,
  principal: Principal,
  include: string,
  results: readonly RowResult[],
): Promise<RowResult[]> => {
  const json = results.map((each) => JSON.stringify(each)).join(',');
  const done = await storage.run(includeMembers, principal, { json, include });
  return JSON.parse(`[${done.json}]`);
};

const responseOf = (results: readonly RowResult[]) => {
  const counts = { created: 0, updated: 0, deleted: 0, failed: 0 };
  for (const { status } of results) counts[status]++;
  return { ...counts, results: results.map((result, index) => ({ index, ...result })) };
};

export const batchRoutes = (storage: Storage) => ({
  'POST /v1/contacts/batch': route({
    operationId: 'batchContacts',
    summary: 'Create, update and delete many contacts',
    description:
      'Executes up to 1,000 operations in their order, in one transaction, by the rules of the endpoints for single contacts. Failed operations are reported in the results, and the others are executed, unless `atomic` is true. `include` adds members to the results of creates and updates.',
    query: includeQuery,
    body: batchBody,
    maxBody: MAX_BODY,
    maxValues: MAX_VALUES,
    status: 200,
    data: batchResponse,
    errors: ['NOT_FOUND', 'CONFLICT'],
    handle: async ({ principal, query: { include }, body: { operations: rows, atomic = false } }) => {
      if (include) assertMayInclude(principal);
      const read = rows.map((row) => attempt(() => readOperation(row)));
      const refused = read.flatMap((each, index) => ('error' in each ? [[index, each.error] as const] : []));
      if (atomic && refused.length > 0) throw atomicError(refused);
      const operations = read.flatMap((each) => ('value' in each ? [each.value] : []));
      const batch = { source: sourceOf(principal), atomic, operations };
      // Invalid operations are not part of the stored answer: their messages may contain phone numbers.
      const done =
        operations.length > 0 ? await storage.run(batchContacts, principal, batch) : { results: [] };
      const rest = done.results.values();
      const results = read.map((each) =>
        'error' in each ? failed(each.error) : withMessage(rest.next().value as RowResult, each.value),
      );
      return ok(responseOf(include ? await withMembers(storage, principal, include, results) : results));
    },
  }),
});
