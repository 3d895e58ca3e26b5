import type { Storage } from '../../db/storage.ts';
import { created, ok, routesOf } from '../../http/pipeline/route.ts';
import type { Runner } from '../../jobs/runner.ts';
import type { Encryptor } from '../../lib/encryption.ts';
import { conflict, invalidField } from '../../lib/errors.ts';
import { issueToken, readToken } from '../../lib/plan-token.ts';
import { needs } from '../workspaces/access.ts';
import type { Principal } from '../workspaces/principal.ts';
import { type Merged, mergedOf, planMerge } from './merge.plan.ts';
import { mergeBody, mergeDetails, mergeQuery, mergeSchema, planSchema } from './merge.schema.ts';
import * as service from './merge.service.ts';
import { undoMerge } from './merge.undo.ts';

const read = routesOf(needs('contacts:read'));
const merge = routesOf(needs('contacts:merge', { also: ['contacts:read'] }));

const about = ({ workspace, actor }: Principal, { ids, choices }: Merged) => ({
  purpose: 'merge plan',
  about: [workspace, actor, ids, Object.entries(choices).sort()],
});

const stateOf = (
  encryptor: Pick<Encryptor, 'isSigned'>,
  principal: Principal,
  merged: Merged,
  token: string,
): string => {
  const state = readToken(encryptor, { ...about(principal, merged), token }, Date.now());
  if (state === 'foreign')
    throw invalidField(
      'plan_token',
      'is not a plan for this caller, these contacts and these choices. Send the same request with dry_run: true first.',
    );
  if (state === 'expired')
    throw conflict(
      'The plan token has expired. Plan the merge again, review the plan, and send its plan_token.',
    );
  return state.toString('hex');
};

/** Merges of contacts, and their undo. */
export const mergeRoutes = (
  storage: Storage,
  { encryptor, runner }: { readonly encryptor: Encryptor; readonly runner: Pick<Runner, 'wake'> },
) => ({
  'POST /v1/merges': merge({
    operationId: 'createMerge',
    summary: 'Merge contacts',
    description:
      'With `dry_run: true`, returns what a merge would do, with a `plan_token`, and changes nothing. The same request with the `plan_token` instead merges the contacts in one transaction; it fails with 409 if anything that the plan depends on was changed since. The other contacts become a part of the survivor, with their identities, tags, fields, calls and enrollments. Their ids answer 404 with `merged_into`.',
    body: mergeBody,
    data: planSchema,
    created: mergeSchema,
    status: 200,
    errors: ['NOT_FOUND', 'CONFLICT'],
    handle: async (request) => {
      const { principal, body } = request;
      const merged = mergedOf(body);
      if (body.plan_token === undefined) {
        const { plan, state } = await storage.run(planMerge, principal, merged);
        const token = { ...about(principal, merged), state: Buffer.from(state, 'hex') };
        return ok({ ...plan, ...issueToken(encryptor, token, Date.now()) });
      }
      const state = stateOf(encryptor, principal, merged, body.plan_token);
      const done = storage.run(service.mergeContacts, principal, { ...merged, state });
      const answer = await created(request, done);
      runner.wake();
      return answer;
    },
  }),

  'GET /v1/merges': read({
    run: service.listMerges,
    summary: 'List merges',
    description: 'Newest first.',
    query: mergeQuery,
    data: mergeSchema,
    list: true,
  }),

  'GET /v1/merges/:id': read({
    run: service.getMerge,
    summary: 'Get a merge',
    description: 'With the values that the survivor did not keep, for 30 days.',
    data: mergeDetails,
  }),

  'POST /v1/merges/:id/undo': merge({
    operationId: 'undoMerge',
    summary: 'Undo a merge',
    description:
      'For 30 days. Each contact exists again, with its id, position, fields, tags, identities, enrollments and calls. What was written to the survivor since stays there: `kept` names the fields. `not_restored` has the identities that another contact has by now, and the enrollments that were changed since. Of several merges, the newest is undone first; a 409 response names it.',
    status: 200,
    data: mergeSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
    handle: async ({ principal, params: { id } }) => {
      const merge = await storage.run(undoMerge, principal, { id });
      runner.wake();
      return ok(merge);
    },
  }),
});
