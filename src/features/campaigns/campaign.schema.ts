import type { Problem } from '../../lib/errors.ts';
import { parseUuid, uuidSchema } from '../../lib/ids.ts';
import { pageFields } from '../../lib/page.ts';
import {
  countSchema,
  enumSchema,
  flagSchema,
  integerSchema,
  listSchema,
  nullableText,
  orNull,
  stringSchema,
} from '../../lib/schemas.ts';
import {
  boolean,
  dateTime,
  dateTimeSchema,
  described,
  type Field,
  integer,
  type JsonSchema,
  nullable,
  nullableSchema,
  objectOf,
  objectSchema,
  oneOf,
  queryInteger,
  text,
  uniqueStrings,
} from '../../lib/validation.ts';
import { contactResponses } from '../contacts/contact.schema.ts';
import { progressKinds } from './progress.counts.ts';

export const campaignStatuses = ['draft', 'active', 'paused', 'finished'] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

/** Why a scheduled start is over. */
export const startStates = [
  'started',
  'no_deployed_version',
  'agent_deleted',
  'changed_manually',
  'end_passed',
] as const;
export type StartState = (typeof startStates)[number];

export const enrollmentStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const;
export type EnrollmentStatus = (typeof enrollmentStatuses)[number];

const fields = {
  name: text({ min: 1, max: 100 }),
  agent_id: text({
    schema: uuidSchema,
    check: (id) =>
      parseUuid(id) ? undefined : 'must be a UUID, for example 01890a5d-ac96-774b-bcce-b302099a8057.',
  }),
  status: oneOf(campaignStatuses),
};
const ignored = ['id', 'agent', 'enrolled', 'created_at', 'updated_at'];

export const campaignCreate = objectOf(fields, {
  title: 'CampaignCreate',
  required: ['name', 'agent_id'],
  ignored,
});
export type CampaignCreate = ReturnType<typeof campaignCreate.read>;

export const campaignUpdate = objectOf(fields, { title: 'CampaignUpdate', ignored });
export type CampaignUpdate = ReturnType<typeof campaignUpdate.read>;

export const campaignSorts = [
  'created_at',
  '-created_at',
  'name',
  '-name',
  'updated_at',
  '-updated_at',
] as const;
export type CampaignSort = (typeof campaignSorts)[number];

export const campaignQuery = objectOf({
  ...pageFields,
  search: described(text({ max: 1_000 }), 'Selects the campaigns whose name contains this text.'),
  status: described(oneOf(campaignStatuses), 'Selects the campaigns with this status.'),
  agent_id: described(text({ max: 64 }), 'Selects the campaigns of this agent.'),
  sort: described(oneOf(campaignSorts), 'The order. A minus sign reverses it. Default: `-created_at`.'),
  include: described(oneOf(['schedule']), '`schedule` adds the schedule of each campaign.'),
});
export type CampaignQuery = ReturnType<typeof campaignQuery.read>;

export const enrollmentSorts = ['contact', '-contact', 'next_attempt', '-next_attempt'] as const;
export type EnrollmentSort = (typeof enrollmentSorts)[number];

export const enrollmentQuery = objectOf({
  ...pageFields,
  status: described(oneOf(enrollmentStatuses), 'Selects the contacts with this status.'),
  search: described(text({ max: 1_000 }), 'Selects contacts by name, phone number or email.'),
  sort: described(
    oneOf(enrollmentSorts),
    'The order: by contact (the newest last), or by the next attempt, which lists only the contacts that wait for one. A minus sign reverses it. Default: `-contact`.',
  ),
});
export type EnrollmentQuery = ReturnType<typeof enrollmentQuery.read>;

export const campaignDuplicate = objectOf(
  {
    name: described(text({ min: 1, max: 100 }), 'The name of the copy. Default: that of the campaign.'),
    enroll_contacts: described(
      boolean(),
      'Whether the contacts of the campaign are enrolled in the copy, as pending.',
    ),
  },
  { title: 'CampaignDuplicate' },
);
export type CampaignDuplicate = ReturnType<typeof campaignDuplicate.read>;

/** Who to enroll: by id, by tag or by search, exactly one of the three. */
export const enrollmentCreate = objectOf(
  {
    contact_ids: uniqueStrings(text({ min: 1, max: 64 }), 1_000, { description: 'The ids of contacts.' }),
    tag: described(text({ min: 1, max: 64 }), 'Everyone with exactly this tag.'),
    search: described(text({ min: 1, max: 1_000 }), 'Everyone who matches this search.'),
  },
  {
    title: 'EnrollmentCreate',
    schema: { minProperties: 1, maxProperties: 1 },
    check: (value) =>
      Object.keys(value).length === 1
        ? []
        : [{ field: 'body', message: 'must contain exactly one of contact_ids, tag and search.' }],
  },
);
export type EnrollmentCreate = ReturnType<typeof enrollmentCreate.read>;

/** A lease should outlive the differences between the clocks of instances, and the work of a dialer. */
const leaseSeconds = (schema: JsonSchema): Field<number> => integer(10, 86_400, schema);

/** Fields that contradict each other. */
const contradictions = ({
  status,
  outcome,
  retry_at,
  claim_id,
  lease_seconds,
}: Readonly<Record<string, unknown>>): Problem[] => {
  const problems: Problem[] = [];
  const report = (field: string, message: string) => problems.push({ field, message });
  if (retry_at !== undefined && status !== 'pending')
    report('retry_at', 'requires status "pending", which returns the contact to the queue.');
  if (lease_seconds !== undefined && claim_id === undefined)
    report('claim_id', 'is required with lease_seconds: send the claim_id of the claim to extend.');
  if (lease_seconds !== undefined && status !== undefined && status !== 'in_progress')
    report(
      'lease_seconds',
      `must not be sent with status "${status}", which ends the lease. Leave one of them out.`,
    );
  if (problems.length === 0 && status === undefined && outcome === undefined && lease_seconds === undefined)
    report('status', 'is required, unless outcome or lease_seconds is sent.');
  return problems;
};

const withStatus = (status: EnrollmentStatus, ...required: string[]) => ({
  type: 'object',
  required,
  properties: { status: { const: status }, claim_id: {} },
});

export const enrollmentUpdate = objectOf(
  {
    status: described(
      oneOf(enrollmentStatuses),
      '`pending` returns the contact to the queue. Every status but `in_progress` ends the lease.',
    ),
    outcome: described(
      nullable(text({ min: 1, max: 200 })),
      'How the attempt went, in your own words or codes; `null` clears it.',
    ),
    retry_at: described(
      dateTime(),
      'With status `pending`: when the contact is due again. By default immediately.',
    ),
    claim_id: described(
      text({ min: 1, max: 64 }),
      'The claim that you report on. If it is no longer the current one, the request gets 409 and changes nothing.',
    ),
    lease_seconds: leaseSeconds({
      description: 'With `claim_id`: extends the lease; it expires in this many seconds.',
    }),
  },
  {
    title: 'EnrollmentUpdate',
    schema: {
      anyOf: ['status', 'outcome', 'lease_seconds'].map((name) => ({
        type: 'object',
        required: [name],
        properties: { [name]: {} },
      })),
      dependentSchemas: {
        retry_at: withStatus('pending', 'status'),
        lease_seconds: withStatus('in_progress', 'claim_id'),
      },
    },
    check: contradictions,
  },
);
export type EnrollmentUpdate = ReturnType<typeof enrollmentUpdate.read>;

export const claimCreate = objectOf(
  {
    limit: integer(1, 100, { default: 1, description: 'At most this many contacts.' }),
    lease_seconds: leaseSeconds({
      default: 300,
      description: 'How long the contacts are reserved for you.',
    }),
  },
  { title: 'ClaimCreate' },
);
export type ClaimCreate = ReturnType<typeof claimCreate.read>;

const string = stringSchema();
const nullableTime = (description: string): JsonSchema => nullableSchema(dateTimeSchema(description));

export const campaignResponses = {
  campaign: objectSchema('Campaign', {
    id: string,
    name: string,
    agent: objectSchema('CampaignAgent', {
      id: string,
      name: string,
      deleted: flagSchema('Whether the agent was deleted.'),
    }),
    status: enumSchema(campaignStatuses),
    enrolled: objectSchema(
      'EnrollmentCounts',
      Object.fromEntries(enrollmentStatuses.map((status) => [status, countSchema()])),
    ),
    created_at: dateTimeSchema('When the campaign was created.'),
    updated_at: dateTimeSchema('When the campaign was last changed.'),
  }),
  enrolled: objectSchema('EnrollmentResult', {
    enrolled: integerSchema(),
    already_enrolled: integerSchema(),
    not_found: listSchema(string),
  }),
  enrollment: objectSchema('Enrollment', {
    campaign_id: string,
    campaign_name: string,
    campaign_status: enumSchema(campaignStatuses),
    contact_id: string,
    contact_name: nullableText('The display name, or else the first and last name.'),
    contact_phone_number: string,
    status: enumSchema(enrollmentStatuses),
    attempts: integerSchema('How many times the contact was claimed.'),
    outcome: nullableText('The last reported outcome.'),
    retry_at: nullableTime('When a pending contact is due again; `null` if it is due now.'),
    lease_expires_at: nullableTime('When the lease of the current claim expires; `null` without a lease.'),
    last_attempt_at: nullableTime('When the contact was last claimed; `null` before the first time.'),
    enrolled_at: dateTimeSchema('When the contact was enrolled.'),
    updated_at: dateTimeSchema('When the enrollment was last changed.'),
  }),
};

export const progressResponse = objectSchema('CampaignProgress', {
  time_zone: string,
  days: listSchema(
    objectSchema('CampaignDay', {
      day: { type: 'string', format: 'date', description: 'A day in the time zone of the workspace.' },
      ...Object.fromEntries(progressKinds.map((kind) => [kind, integerSchema()])),
    }),
  ),
});

/** More days than a year has. */
export const MAX_PROGRESS_DAYS = 366;

export const progressQuery = objectOf({
  days: queryInteger(1, MAX_PROGRESS_DAYS, 30, { description: 'How many days, up to today.' }),
});
export type ProgressQuery = ReturnType<typeof progressQuery.read>;

export const startCheckResponse = objectSchema('CampaignStartCheck', {
  ready: flagSchema('Whether there is nothing to ask before the campaign starts.'),
  deployed_version: orNull(
    objectSchema('StartCheckVersion', { id: string, version_label: string }),
    "The agent's deployed version; `null` if there is none, or if the agent was deleted.",
  ),
  agent_deleted: flagSchema(),
  enrolled: integerSchema(),
  pending: integerSchema(),
  missing_values: listSchema(
    objectSchema('MissingValue', {
      name: stringSchema('A variable of the deployed instructions.'),
      contacts_without_value: integerSchema(),
    }),
    'The variables that are empty for some of the enrolled contacts that are not done.',
  ),
  unknown_variables: listSchema(string),
});

export const claimResponse = objectSchema('ClaimedContacts', {
  campaign: objectSchema('ClaimedCampaign', {
    id: string,
    status: enumSchema(campaignStatuses, 'Only an active campaign hands out contacts.'),
  }),
  agent: objectSchema('ClaimAgent', { id: string, name: string }),
  version: orNull(
    objectSchema('ClaimVersion', { id: string, version_label: string, instructions: string }),
    "The agent's deployed version; `null` if no contact was claimed.",
  ),
  claims: listSchema(
    objectSchema('Claim', {
      claim_id: stringSchema('Identifies this claim when you report on it.'),
      lease_expires_at: dateTimeSchema(
        'When the contact is due again, unless you report or extend the lease.',
      ),
      attempt: integerSchema('How many times the contact was claimed, including this one.'),
      contact: contactResponses.full,
    }),
  ),
});
