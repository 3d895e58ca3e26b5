import type { Storage } from '../../db/storage.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { needs } from '../workspaces/access.ts';
import { claimCreate, claimResponse } from './campaign.schema.ts';
import { claimContacts, describeClaims } from './claim.service.ts';

const route = routesOf(needs('campaigns:write'));

export const claimRoutes = (storage: Storage) => ({
  'POST /v1/campaigns/:id/claims': route({
    operationId: 'claimContacts',
    summary: 'Claim contacts of a campaign',
    description:
      'Hands out contacts that are due, each to one caller at a time: first those whose retry time has come or whose lease has expired, then the others in the order of their enrollment. Report the result with `PATCH /v1/campaigns/{id}/enrollments/{contact}` and the `claim_id` before the lease expires; otherwise the contact is handed out again. A campaign that is not active, or whose end has passed, hands out none. With a call window, only contacts whose local time is inside the window are handed out; if there are none, the header `Retry-After` says in how many seconds the first one can be claimed. With `render`, the response has the config of the version, each claim has the instructions for its contact, and a contact without a needed value becomes `blocked`.',
    body: claimCreate,
    bodyOptional: true,
    status: 200,
    data: claimResponse,
    errors: ['CONFLICT'],
    handle: async ({ principal, params: { id }, body }) => {
      const claimed = await storage.run(claimContacts, principal, { ...body, id });
      const json = await storage.run(describeClaims, principal, { ...claimed, render: body.render });
      const { retry_at } = claimed;
      const seconds = retry_at && Math.max(1, Math.ceil((Date.parse(retry_at) - Date.now()) / 1_000));
      return {
        status: 200,
        body: `{"success":true,"data":${json}}`,
        ...(seconds && { headers: { 'Retry-After': String(seconds) } }),
      };
    },
  }),
});
