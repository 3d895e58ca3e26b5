import { parseUuid } from '../../lib/ids.ts';
import { pageFields } from '../../lib/page.ts';
import {
  dateTimeSchema,
  type JsonSchema,
  objectOf,
  objectSchema,
  oneOf,
  text,
  uniqueStrings,
} from '../../lib/validation.ts';

export const campaignStatuses = ['draft', 'active', 'paused', 'finished'] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

export const enrollmentStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const;
export type EnrollmentStatus = (typeof enrollmentStatuses)[number];

const fields = {
  name: text({ min: 1, max: 100 }),
  agent_id: text({
    schema: { format: 'uuid' },
    check: (id) =>
      parseUuid(id) ? undefined : 'must be a UUID, for example 01890a5d-ac96-774b-bcce-b302099a8057.',
  }),
  status: oneOf(campaignStatuses),
};
const ignored = ['id', 'agent', 'enrolled', 'created_at', 'updated_at'];

export const campaignCreate = objectOf(fields, { required: ['name', 'agent_id'], ignored });
export type CampaignCreate = ReturnType<typeof campaignCreate.read>;

export const campaignUpdate = objectOf(fields, { ignored });
export type CampaignUpdate = ReturnType<typeof campaignUpdate.read>;

export const campaignQuery = objectOf(pageFields);
export type CampaignQuery = ReturnType<typeof campaignQuery.read>;

export const enrollmentQuery = objectOf({ ...pageFields, status: oneOf(enrollmentStatuses) });
export type EnrollmentQuery = ReturnType<typeof enrollmentQuery.read>;

/** Who to enroll: by id, by tag or by search, exactly one of the three. */
export const enrollmentCreate = objectOf({
  contact_ids: uniqueStrings(text({ min: 1, max: 64 }), 1_000, { maxItems: 1_000 }),
  tag: text({ min: 1, max: 64 }),
  search: text({ min: 1, max: 1_000 }),
});
export type EnrollmentCreate = ReturnType<typeof enrollmentCreate.read>;

export const enrollmentUpdate = objectOf({ status: oneOf(enrollmentStatuses) }, { required: ['status'] });
export type EnrollmentUpdate = ReturnType<typeof enrollmentUpdate.read>;

const counts: JsonSchema = { type: 'object', additionalProperties: { type: 'integer' } };

export const campaignResponses = {
  campaign: objectSchema('Campaign', {
    id: { type: 'string' },
    name: { type: 'string' },
    agent: objectSchema('CampaignAgent', {
      id: { type: 'string' },
      name: { type: 'string' },
      deleted: { type: 'boolean', description: 'Whether the agent was deleted.' },
    }),
    status: { type: 'string', enum: campaignStatuses },
    enrolled: { ...counts, description: 'Number of enrolled contacts by status.' },
    created_at: dateTimeSchema('When the campaign was created.'),
    updated_at: dateTimeSchema('When the campaign was last changed.'),
  }),
  enrolled: objectSchema('EnrollmentResult', {
    enrolled: { type: 'integer' },
    already_enrolled: { type: 'integer' },
    not_found: { type: 'array', items: { type: 'string' } },
  }),
  enrollment: objectSchema('Enrollment', {
    campaign_id: { type: 'string' },
    campaign_name: { type: 'string' },
    campaign_status: { type: 'string', enum: campaignStatuses },
    contact_id: { type: 'string' },
    contact_name: {
      type: ['string', 'null'],
      description: 'The display name, or else the first and last name.',
    },
    contact_phone_number: { type: 'string' },
    status: { type: 'string', enum: enrollmentStatuses },
    enrolled_at: dateTimeSchema('When the contact was enrolled.'),
    updated_at: dateTimeSchema('When the enrollment was last changed.'),
  }),
};
