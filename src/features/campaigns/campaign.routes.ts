import type { Storage } from '../../db/storage.ts';
import { changedRecord, ifMatchOf, recordWithEtag } from '../../http/pipeline/preconditions.ts';
import { created, deleted, ok, page, routesOf } from '../../http/pipeline/route.ts';
import { pageRequestOf } from '../../lib/page.ts';
import { type JsonSchema, objectSchema } from '../../lib/validation.ts';
import { versionParams } from '../agents/agent.schema.ts';
import { channelKinds } from '../channels/channel.schema.ts';
import { contactId } from '../contacts/contact.service.ts';
import { assertAlso } from '../workspaces/access.guard.ts';
import { needs } from '../workspaces/access.ts';
import { deleteCampaign } from './campaign.deletion.ts';
import {
  campaignCreate,
  campaignDuplicate,
  campaignQuery,
  campaignResponses,
  campaignUpdate,
  enrollmentCreate,
  enrollmentQuery,
  enrollmentUpdate,
  progressQuery,
  progressResponse,
  startCheckResponse,
} from './campaign.schema.ts';
import {
  campaignId,
  campaignWithEtag,
  createCampaign,
  getCampaign,
  listCampaigns,
  updateCampaign,
} from './campaign.service.ts';
import { duplicateCampaign } from './duplicate.service.ts';
import {
  deleteEnrollment,
  enroll,
  enrollmentsOfContact,
  listEnrollments,
  updateEnrollment,
} from './enrollment.service.ts';
import { deployImpact } from './impact.service.ts';
import { getProgress } from './progress.service.ts';
import { listedCampaign } from './schedule.schema.ts';
import { checkStart } from './start-check.service.ts';

const read = routesOf(needs('campaigns:read'));
const write = routesOf(needs('campaigns:write'));
const agents = routesOf(needs('agents:read'));

const both = { id: campaignId.schema, contact: contactId.schema };
const arrayOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

const named = (title: string, ...more: string[]): JsonSchema =>
  objectSchema(title, Object.fromEntries(['id', ...more].map((name) => [name, { type: 'string' }])));

const impactSchema = objectSchema('DeployImpact', {
  version: named('ImpactVersion', 'version_label', 'deployment_status', 'created_at'),
  deployed_version: { oneOf: [named('ImpactDeployed', 'version_label'), { type: 'null' }] },
  channels: arrayOf(
    objectSchema('ImpactChannel', {
      id: { type: 'string' },
      kind: { type: 'string', enum: channelKinds },
      name: { type: 'string' },
      address: { type: 'string' },
    }),
  ),
  campaigns: arrayOf(named('ImpactCampaign', 'name')),
  enrolled_contacts: { type: 'integer' },
  difference: objectSchema('Difference', {
    added: { type: 'integer' },
    removed: { type: 'integer' },
    parts: arrayOf(
      objectSchema('DifferencePart', {
        change: { type: 'string', enum: ['same', 'added', 'removed'] },
        lines: arrayOf({ type: 'string' }),
      }),
    ),
  }),
  variables: arrayOf(
    objectSchema('ImpactVariable', { name: { type: 'string' }, contacts_without_value: { type: 'integer' } }),
  ),
  unknown_variables: arrayOf(
    objectSchema('UnknownVariable', {
      placeholder: { type: 'string', description: 'As written in the instructions.' },
      suggestion: { type: ['string', 'null'], description: 'The variable that was probably meant.' },
    }),
  ),
});

export const campaignRoutes = (storage: Storage) => ({
  'GET /v1/campaigns': read({
    operationId: 'listCampaigns',
    summary: 'List campaigns',
    query: campaignQuery,
    data: listedCampaign,
    list: true,
    handle: ({ principal, query }) =>
      page(pageRequestOf(query), storage.run(listCampaigns, principal, query)),
  }),

  // A claim hands out the contacts and the instructions, so who chooses them must be able to read them.
  'POST /v1/campaigns': write({
    access: needs('campaigns:write', { also: ['agents:read'] }),
    operationId: 'createCampaign',
    summary: 'Create a campaign',
    body: campaignCreate,
    data: campaignResponses.campaign,
    hasEtag: true,
    errors: ['NOT_FOUND'],
    handle: (request) => {
      const creation = storage.run(createCampaign, request.principal, request.body);
      return created(
        request,
        creation.then((campaign) => ({ id: campaign.id, ...campaignWithEtag(campaign) })),
      );
    },
  }),

  'GET /v1/campaigns/:id': read({
    operationId: 'getCampaign',
    summary: 'Get a campaign',
    data: campaignResponses.campaign,
    hasEtag: true,
    handle: (request) =>
      recordWithEtag(
        request,
        storage.run(getCampaign, request.principal, { id: request.params.id }).then(campaignWithEtag),
      ),
  }),

  'PATCH /v1/campaigns/:id': write({
    operationId: 'updateCampaign',
    summary: 'Update a campaign',
    description:
      'A draft or paused campaign can become active, an active one can be paused, and each of them can be finished. Another `agent_id` also requires the scope `agents:read`.',
    body: campaignUpdate,
    data: campaignResponses.campaign,
    hasEtag: true,
    errors: ['CONFLICT'],
    handle: (request) => {
      if (request.body.agent_id !== undefined) assertAlso(request.principal, 'agents:read');
      const input = { id: request.params.id, fields: request.body, match: ifMatchOf(request) };
      return changedRecord(storage.run(updateCampaign, request.principal, input).then(campaignWithEtag));
    },
  }),

  'DELETE /v1/campaigns/:id': write({
    operationId: 'deleteCampaign',
    summary: 'Delete a campaign',
    description:
      'Deletes the campaign and its enrollments. Contacts and calls remain. The campaign is gone immediately; many enrollments are deleted in the background.',
    handle: ({ principal, params: { id } }) => deleted(storage.run(deleteCampaign, principal, { id })),
  }),

  'POST /v1/campaigns/:id/duplicate': write({
    operationId: 'duplicateCampaign',
    summary: 'Duplicate a campaign',
    description:
      'Creates a draft with the agent, the call window and the limits on attempts of the campaign. Its start and end are not copied. With `enroll_contacts`, its contacts are enrolled in the copy.',
    body: campaignDuplicate,
    bodyOptional: true,
    data: campaignResponses.campaign,
    hasEtag: true,
    handle: (request) => {
      const {
        principal,
        params: { id },
        body,
        path,
      } = request;
      const creation = duplicateCampaign(storage, principal, { id, body });
      // The copy is in the list of campaigns, two segments up.
      const list = path.split('/').slice(0, -2).join('/');
      return created(
        { path: list },
        creation.then((campaign) => ({ id: campaign.id, ...campaignWithEtag(campaign) })),
      );
    },
  }),

  'GET /v1/campaigns/:id/progress': read({
    operationId: 'getCampaignProgress',
    summary: 'Get the progress of a campaign',
    description: 'How many contacts were enrolled, claimed, completed and failed on each of the last days.',
    query: progressQuery,
    data: progressResponse,
    handle: ({ principal, params: { id }, query }) =>
      ok(storage.run(getProgress, principal, { ...query, id })),
  }),

  'GET /v1/campaigns/:id/start-check': read({
    operationId: 'checkCampaignStart',
    summary: 'Check a campaign before it starts',
    description:
      'Whether the agent has a deployed version, contacts are enrolled, and they have the values that the instructions use. Nothing is enforced: a campaign can start anyway.',
    data: startCheckResponse,
    handle: ({ principal, params: { id } }) => ok(storage.run(checkStart, principal, { id })),
  }),

  'POST /v1/campaigns/:id/enrollments': write({
    access: needs('campaigns:write', { also: ['contacts:read'] }),
    operationId: 'enrollContacts',
    summary: 'Enroll contacts',
    description: 'Enrolls the contacts selected by `contact_ids`, `tag` or `search`, each once.',
    body: enrollmentCreate,
    status: 200,
    data: campaignResponses.enrolled,
    errors: ['CONFLICT'],
    handle: ({ principal, params: { id }, body }) =>
      ok(enroll(storage, principal, { campaign: id, audience: body })),
  }),

  'GET /v1/campaigns/:id/enrollments': read({
    operationId: 'listCampaignEnrollments',
    summary: 'List the enrollments of a campaign',
    description:
      'Newest contacts first, unless `sort` says otherwise. `status` selects the enrollments with that status, and `search` those of matching contacts, which also requires the scope `contacts:read`.',
    query: enrollmentQuery,
    data: campaignResponses.enrollment,
    list: true,
    handle: ({ principal, params: { id }, query }) => {
      if (query.search) assertAlso(principal, 'contacts:read');
      return page(pageRequestOf(query), storage.run(listEnrollments, principal, { campaign: id, query }));
    },
  }),

  'PATCH /v1/campaigns/:id/enrollments/:contact': write({
    operationId: 'updateEnrollment',
    summary: 'Update an enrollment',
    description:
      'Changes the status, records the outcome of an attempt, returns the contact to the queue (`pending`, optionally with `retry_at`), or extends the lease of a claim. With `claim_id`, it does so only while that claim is the current one.',
    body: enrollmentUpdate,
    params: both,
    data: campaignResponses.enrollment,
    errors: ['CONFLICT'],
    handle: ({ principal, params: { id, contact }, body }) =>
      ok(storage.run(updateEnrollment, principal, { campaign: id, contact, change: body })),
  }),

  'DELETE /v1/campaigns/:id/enrollments/:contact': write({
    operationId: 'deleteEnrollment',
    summary: 'Delete an enrollment',
    params: both,
    handle: ({ principal, params: { id, contact } }) =>
      deleted(storage.run(deleteEnrollment, principal, { campaign: id, contact })),
  }),

  'GET /v1/contacts/:id/enrollments': read({
    operationId: 'listContactEnrollments',
    summary: 'List the enrollments of a contact',
    data: arrayOf(campaignResponses.enrollment),
    handle: ({ principal, params: { id } }) => ok(storage.run(enrollmentsOfContact, principal, { id })),
  }),

  'GET /v1/agents/:id/versions/:version/impact': agents({
    operationId: 'previewDeploy',
    summary: 'Preview what a deploy would change',
    params: versionParams,
    data: impactSchema,
    handle: ({ principal, params: { id, version } }) =>
      ok(storage.run(deployImpact, principal, { agent: id, version })),
  }),
});
