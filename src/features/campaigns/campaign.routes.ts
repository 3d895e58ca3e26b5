import type { Storage } from '../../db/storage.ts';
import { ok, routesOf } from '../../http/pipeline/route.ts';
import * as s from '../../lib/schemas.ts';
import { versionKey, versionParams } from '../agents/agent.schema.ts';
import { differenceProperties } from '../agents/deploy.routes.ts';
import { channelKinds } from '../channels/channel.schema.ts';
import { assertMayFilter } from '../contacts/contact.filters.ts';
import { contactId } from '../contacts/contact.service.ts';
import { needs } from '../workspaces/access.ts';
import { deleteCampaign } from './campaign.deletion.ts';
import {
  campaignCreate,
  campaignDuplicate,
  campaignQuery,
  campaignResponses,
  campaignUpdate,
  claimCreate,
  claimResponse,
  enrollmentCreate,
  enrollmentQuery,
  enrollmentUpdate,
  progressQuery,
  progressResponse,
  startCheckResponse,
} from './campaign.schema.ts';
import * as campaigns from './campaign.service.ts';
import { claimContacts, describeClaims } from './claim.service.ts';
import * as enrollments from './enrollment.service.ts';
import { previewDeploy } from './impact.service.ts';
import { getCampaignProgress } from './progress.service.ts';
import { listedCampaign, scheduleResponse, scheduleUpdate } from './schedule.schema.ts';
import { getCampaignSchedule, updateCampaignSchedule } from './schedule.service.ts';
import { checkCampaignStart } from './start-check.service.ts';

const read = routesOf(needs('campaigns:read'));
const write = routesOf(needs('campaigns:write'));
const agents = routesOf(needs('agents:read'));

const both = { id: campaigns.campaignId.schema, contact: contactId.schema };
const named = (title: string, ...more: string[]): s.JsonSchema =>
  s.object(title, Object.fromEntries(['id', ...more].map((name) => [name, s.string()])));

const impactSchema = s.object('DeployImpact', {
  version: named('ImpactVersion', 'version_label', 'deployment_status', 'created_at'),
  deployed_version: s.orNull(named('ImpactDeployed', 'version_label')),
  channels: s.list(
    s.object('ImpactChannel', {
      id: s.string(),
      kind: s.oneOf(channelKinds),
      name: s.string(),
      address: s.string(),
    }),
  ),
  campaigns: s.list(named('ImpactCampaign', 'name')),
  enrolled_contacts: s.integer(),
  difference: s.object('Difference', differenceProperties),
  variables: s.list(
    s.object('ImpactVariable', { name: s.string(), contacts_without_value: s.integer() }),
    'The contacts that are not done and have neither a value nor a fallback; at least so many unless `is_complete`.',
  ),
  is_complete: s.boolean('Whether all enrolled contacts were checked for values.'),
  unknown_variables: s.list(
    s.object('UnknownVariable', {
      placeholder: s.string('As written in the instructions.'),
      suggestion: s.nullableString('The variable that was probably meant.'),
    }),
  ),
});

export const campaignRoutes = (storage: Storage) => ({
  'GET /v1/campaigns': read({
    run: campaigns.listCampaigns,
    summary: 'List campaigns',
    query: campaignQuery,
    data: listedCampaign,
    list: true,
  }),

  // A claim hands out the contacts and the instructions, so who chooses them must be able to read them.
  'POST /v1/campaigns': write({
    access: needs('campaigns:write', { also: ['agents:read'] }),
    run: campaigns.createCampaign,
    etag: campaigns.campaignWithEtag,
    summary: 'Create a campaign',
    body: campaignCreate,
    data: campaignResponses.campaign,
    hasEtag: true,
    errors: ['NOT_FOUND'],
  }),

  'GET /v1/campaigns/:id': read({
    run: campaigns.getCampaign,
    etag: campaigns.campaignWithEtag,
    summary: 'Get a campaign',
    data: campaignResponses.campaign,
    hasEtag: true,
  }),

  'PATCH /v1/campaigns/:id': write({
    run: campaigns.updateCampaign,
    etag: campaigns.campaignWithEtag,
    summary: 'Update a campaign',
    description:
      'A draft or paused campaign can become active, an active one can be paused, and each of them can be finished. Another `agent_id` also requires the scope `agents:read`.',
    body: campaignUpdate,
    data: campaignResponses.campaign,
    hasEtag: true,
    errors: ['CONFLICT'],
  }),

  'DELETE /v1/campaigns/:id': write({
    run: deleteCampaign,
    summary: 'Delete a campaign',
    description:
      'Deletes the campaign and its enrollments. Contacts and calls remain. The campaign is gone immediately; many enrollments are deleted in the background.',
  }),

  'POST /v1/campaigns/:id/duplicate': write({
    run: campaigns.duplicateCampaign,
    etag: campaigns.campaignWithEtag,
    summary: 'Duplicate a campaign',
    description:
      'Creates a draft with the agent, the audience, the call window and the limits on attempts of the campaign, but without an audience that you may not use. Its start and end are not copied. To enroll its contacts in the copy, create a bulk job with the filter `campaign`.',
    body: campaignDuplicate,
    bodyOptional: true,
    data: campaignResponses.campaign,
    hasEtag: true,
  }),

  'GET /v1/campaigns/:id/progress': read({
    run: getCampaignProgress,
    summary: 'Get the progress of a campaign',
    description:
      'How many contacts were enrolled, claimed, completed and failed on each of the last days, the outcomes of all, the values that blocked ones lack, when a dialer last claimed contacts, and when a closed call window opens.',
    query: progressQuery,
    data: progressResponse,
  }),

  'GET /v1/campaigns/:id/start-check': read({
    run: checkCampaignStart,
    summary: 'Check a campaign before it starts',
    description:
      'Whether the agent has a deployed version, contacts are enrolled, and they have the values that the instructions use. Nothing is enforced: a campaign can start anyway.',
    data: startCheckResponse,
  }),

  'POST /v1/campaigns/:id/enrollments': write({
    access: needs('campaigns:write', { also: ['contacts:read'] }),
    operationId: 'enrollContacts',
    summary: 'Enroll contacts',
    description:
      'Enrolls the contacts selected by `contact_ids`, `contacts`, `tag`, `search` or `filter`, each once. `variables` are values for the instructions. Attributes and filters that are about calls also require the scope `calls:read`, and those about campaigns `campaigns:read`.',
    body: enrollmentCreate,
    status: 200,
    data: campaignResponses.enrolled,
    errors: ['CONFLICT'],
    handle: ({ principal, params: { id }, body }) => {
      if (body.filter) assertMayFilter(principal, body.filter);
      return ok(enrollments.enroll(storage, principal, { campaign: id, audience: body }));
    },
  }),

  'GET /v1/campaigns/:id/enrollments': read({
    run: enrollments.listCampaignEnrollments,
    summary: 'List the enrollments of a campaign',
    description:
      'Newest contacts first, unless `sort` says otherwise. `status` selects the enrollments with that status, and `search` those of matching contacts, which also requires the scope `contacts:read`.',
    query: enrollmentQuery,
    data: campaignResponses.enrollment,
    list: true,
  }),

  'PATCH /v1/campaigns/:id/enrollments/:contact': write({
    operationId: 'updateEnrollment',
    summary: 'Update an enrollment',
    description:
      'Changes the status, records the outcome of an attempt, returns the contact to the queue (`pending`, optionally with `retry_at`), extends the lease of a claim, or changes variables. With `claim_id`, it does so only while that claim is the current one.',
    body: enrollmentUpdate,
    params: both,
    data: campaignResponses.enrollment,
    errors: ['CONFLICT'],
    handle: async ({ principal, params, body }) => {
      const enrollment = await storage.run(enrollments.updateEnrollment, principal, { ...body, ...params });
      return ok(
        'variables' in enrollment
          ? enrollment
          : storage.run(enrollments.withVariables, principal, enrollment),
      );
    },
  }),

  'DELETE /v1/campaigns/:id/enrollments/:contact': write({
    run: enrollments.deleteEnrollment,
    summary: 'Delete an enrollment',
    params: both,
    errors: ['CONFLICT'],
  }),

  'GET /v1/contacts/:id/enrollments': read({
    run: enrollments.listContactEnrollments,
    summary: 'List the enrollments of a contact',
    data: s.list(campaignResponses.enrollment),
  }),

  'GET /v1/agents/:id/versions/:version/impact': agents({
    run: previewDeploy,
    input: versionKey,
    summary: 'Preview what a deploy would change',
    params: versionParams,
    data: impactSchema,
  }),

  'GET /v1/campaigns/:id/schedule': read({
    run: getCampaignSchedule,
    summary: 'Get the schedule of a campaign',
    data: scheduleResponse,
    hasEtag: true,
  }),

  'PUT /v1/campaigns/:id/schedule': write({
    run: updateCampaignSchedule,
    summary: 'Replace the schedule of a campaign',
    description:
      'Sets when the campaign starts and ends automatically, when contacts may be called in their local time, and how often. Replaces the whole schedule: omitted fields are cleared.',
    body: scheduleUpdate,
    data: scheduleResponse,
    hasEtag: true,
    errors: ['CONFLICT'],
  }),

  'POST /v1/campaigns/:id/claims': write({
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
