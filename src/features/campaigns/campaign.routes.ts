import type { Storage } from '../../db/storage.ts';
import { changedRecord, ifMatchOf, recordWithEtag } from '../../http/pipeline/preconditions.ts';
import { created, deleted, deletedSchema, ok, page, route } from '../../http/pipeline/route.ts';
import { withEtag } from '../../lib/etag.ts';
import { pageRequestOf } from '../../lib/page.ts';
import { type JsonSchema, objectSchema } from '../../lib/validation.ts';
import { channelKinds } from '../channels/channel.schema.ts';
import type { Principal } from '../workspaces/principal.ts';
import {
  type CampaignCreate,
  type CampaignQuery,
  type CampaignUpdate,
  campaignCreate,
  campaignQuery,
  campaignResponses,
  campaignUpdate,
  type EnrollmentCreate,
  type EnrollmentQuery,
  type EnrollmentUpdate,
  enrollmentCreate,
  enrollmentQuery,
  enrollmentUpdate,
} from './campaign.schema.ts';
import { createCampaign, getCampaign, listCampaigns, updateCampaign } from './campaign.service.ts';
import {
  deleteEnrollment,
  enroll,
  enrollmentsOfContact,
  listEnrollments,
  updateEnrollment,
} from './enrollment.service.ts';
import { deployImpact } from './impact.service.ts';

const group = 'Campaigns';
const params = { id: 'The id of the campaign.' };
const both = { ...params, contact: 'The id of the contact.' };
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
  list: route<Principal, CampaignQuery>({
    access: 'member',
    query: campaignQuery,
    document: {
      group,
      operationId: 'listCampaigns',
      summary: 'List campaigns',
      data: campaignResponses.campaign,
      list: true,
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, query }) =>
      page(pageRequestOf(query), storage.run(listCampaigns, principal, query)),
  }),

  create: route<Principal, unknown, CampaignCreate>({
    access: 'member',
    body: campaignCreate,
    document: {
      group,
      operationId: 'createCampaign',
      summary: 'Create a campaign',
      data: campaignResponses.campaign,
      hasEtag: true,
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: (request) => {
      const made = storage.run(createCampaign, request.principal, request.body);
      return created(
        request,
        made.then((campaign) => ({ id: campaign.id, ...withEtag(campaign) })),
      );
    },
  }),

  get: route<Principal>({
    access: 'member',
    document: {
      group,
      operationId: 'getCampaign',
      summary: 'Get a campaign',
      params,
      data: campaignResponses.campaign,
      hasEtag: true,
      errors: ['NOT_FOUND'],
    },
    handle: (request) =>
      recordWithEtag(
        request,
        storage.run(getCampaign, request.principal, { id: request.params.id }).then(withEtag),
      ),
  }),

  update: route<Principal, unknown, CampaignUpdate>({
    access: 'member',
    body: campaignUpdate,
    document: {
      group,
      operationId: 'updateCampaign',
      summary: 'Update a campaign',
      description:
        'A draft or paused campaign can become active, an active one can be paused, and each of them can be finished.',
      params,
      data: campaignResponses.campaign,
      hasEtag: true,
      errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
    },
    handle: (request) => {
      const input = { id: request.params.id, fields: request.body, match: ifMatchOf(request) };
      return changedRecord(storage.run(updateCampaign, request.principal, input).then(withEtag));
    },
  }),

  enroll: route<Principal, unknown, EnrollmentCreate>({
    access: 'member',
    body: enrollmentCreate,
    document: {
      group,
      operationId: 'enrollContacts',
      summary: 'Enroll contacts',
      description: 'Enrolls the contacts selected by `contact_ids`, `tag` or `search`, each once.',
      params,
      status: 200,
      data: campaignResponses.enrolled,
      errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
    },
    handle: ({ principal, params: { id }, body }) =>
      ok(enroll(storage, principal, { campaign: id, audience: body })),
  }),

  enrollments: route<Principal, EnrollmentQuery>({
    access: 'member',
    query: enrollmentQuery,
    document: {
      group,
      operationId: 'listCampaignEnrollments',
      summary: 'List the enrollments of a campaign',
      description: 'Newest contacts first. `status` selects the enrollments with that status.',
      params,
      data: campaignResponses.enrollment,
      list: true,
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: ({ principal, params: { id }, query }) =>
      page(pageRequestOf(query), storage.run(listEnrollments, principal, { campaign: id, query })),
  }),

  updateEnrollment: route<Principal, unknown, EnrollmentUpdate>({
    access: 'member',
    body: enrollmentUpdate,
    document: {
      group,
      operationId: 'updateEnrollment',
      summary: 'Update an enrollment',
      params: both,
      data: campaignResponses.enrollment,
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: ({ principal, params: { id, contact }, body: { status } }) =>
      ok(storage.run(updateEnrollment, principal, { campaign: id, contact, status })),
  }),

  deleteEnrollment: route<Principal>({
    access: 'member',
    document: {
      group,
      operationId: 'deleteEnrollment',
      summary: 'Delete an enrollment',
      params: both,
      data: deletedSchema,
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal, params: { id, contact } }) =>
      deleted(storage.run(deleteEnrollment, principal, { campaign: id, contact })),
  }),

  ofContact: route<Principal>({
    access: 'member',
    document: {
      group,
      operationId: 'listContactEnrollments',
      summary: 'List the enrollments of a contact',
      params: { id: 'The id of the contact.' },
      data: arrayOf(campaignResponses.enrollment),
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal, params: { id } }) => ok(storage.run(enrollmentsOfContact, principal, { id })),
  }),

  impact: route<Principal>({
    access: 'member',
    document: {
      group: 'Agents',
      operationId: 'previewDeploy',
      summary: 'Preview what a deploy would change',
      params: { id: 'The id of the agent.', version: 'The id of the version.' },
      data: impactSchema,
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: ({ principal, params: { id, version } }) =>
      ok(storage.run(deployImpact, principal, { agent: id, version })),
  }),
});
