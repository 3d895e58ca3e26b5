import type { Storage } from '../../db/storage.ts';
import { deleted, ok, routesOf } from '../../http/pipeline/route.ts';
import type { Runner } from '../../jobs/runner.ts';
import * as s from '../../lib/schemas.ts';
import { owner } from '../workspaces/access.ts';
import { currentToken, otherTokens, sessionCookies } from '../workspaces/session.cookies.ts';
import { newSessionToken, openSession } from '../workspaces/session.service.ts';
import * as sample from './sample.service.ts';

const route = routesOf(owner);

const schema = s.object('SampleData', {
  state: s.oneOf(
    sample.sampleStates,
    '`unavailable`: the service has several workspaces, or one named `demo` that has other data. `current`: the workspace of the session has it.',
  ),
  percent: s.integer('The progress, while it is loading.'),
  user_id: s.nullableString(
    "The caller's user in its workspace, to switch to it; `null` if someone else has loaded it.",
  ),
});

export const sampleRoutes = (storage: Storage, { runner }: { runner: Pick<Runner, 'wake'> }) => ({
  'GET /dashboard/api/sample-data': route({
    run: sample.getSampleData,
    summary: 'Get the state of the sample data',
    data: schema,
  }),

  'POST /dashboard/api/sample-data': route({
    operationId: 'loadSampleData',
    summary: 'Load the sample data',
    description:
      'Creates the workspace `demo` with the caller as an owner, fills it with fictional records in the background, and adds a session in it to the browser. If the caller has loaded it already, it only adds the session. Only on a service with no other workspace than that of the caller.',
    data: schema,
    status: 200,
    errors: ['CONFLICT'],
    handle: async ({ principal, headers, origin }) => {
      const {
        workspace_id: workspace,
        id,
        password,
      } = await storage.run(sample.startLoading, principal, null);
      runner.wake();
      const token = newSessionToken(workspace);
      const user = { workspace, actor: id, request: principal.request };
      await storage.run(openSession, user, { password, token, byLink: false });
      const others = [token, ...otherTokens(headers)];
      const cookies = sessionCookies(currentToken(headers), { base: origin().base, headers, others });
      const answer = await ok(storage.run(sample.getSampleData, principal, null));
      return { ...answer, headers: { 'Set-Cookie': cookies } };
    },
  }),

  'DELETE /dashboard/api/sample-data': route({
    operationId: 'removeSampleData',
    summary: 'Remove the sample data',
    description: 'Deletes its workspace in the background. Only a user who has loaded it can do so.',
    errors: ['CONFLICT'],
    handle: async ({ principal }) => {
      const answer = await deleted(storage.run(sample.startRemoving, principal, null));
      runner.wake();
      return answer;
    },
  }),
});
