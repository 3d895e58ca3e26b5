import type { Problem } from '../../lib/errors.ts';
import { parseUuid, uuidSchema } from '../../lib/ids.ts';
import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { variableMap } from '../agents/variable.schema.ts';
import { resultKey } from '../calls/result.schema.ts';
import { bodyFilter, contactResponses } from '../contacts/contact.schema.ts';

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

/** The statuses that a caller can set. */
const reportedStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const;
/** `blocked`: the instructions need a value that the contact does not have. `skipped`: the contact no longer matches the audience. */
export const enrollmentStatuses = [...reportedStatuses, 'blocked', 'skipped'] as const;
export type EnrollmentStatus = (typeof enrollmentStatuses)[number];

/** Why an enrollment is blocked or skipped. */
export const reasonCodes = ['missing_values', 'not_in_audience'] as const;
export interface EnrollmentReason {
  readonly code: (typeof reasonCodes)[number];
  /** Names of variables, never values. */
  readonly holes: readonly string[];
}
/** `snapshot` enrolls the contacts of a segment once, `live` also those that come to match later. */
export const audienceModes = ['snapshot', 'live'] as const;
export type AudienceMode = (typeof audienceModes)[number];

const audience = v.object(
  {
    segment_id: v.text({ min: 1, max: 64, schema: { description: 'A shared segment.' } }),
    mode: v.oneOf(audienceModes),
  },
  { title: 'AudienceChange', required: ['segment_id', 'mode'] },
);
export type Audience = ReturnType<typeof audience.read>;

const fields = {
  name: v.text({ min: 1, max: 100 }),
  agent_id: v.text({
    schema: uuidSchema,
    check: (id) =>
      parseUuid(id) ? undefined : 'must be a UUID, for example 01890a5d-ac96-774b-bcce-b302099a8057.',
  }),
  status: v.oneOf(campaignStatuses),
  audience: v.described(
    v.nullable(v.nested(audience)),
    'The segment whose contacts are enrolled in the background: those that match now (`snapshot`), or also those that come to match later (`live`). `null`: none. Contacts that are enrolled already remain. Also requires the scope `contacts:read`, and those of the filter.',
  ),
};
const ignored = ['id', 'agent', 'enrolled', 'created_at', 'updated_at'];

export const campaignCreate = v.object(fields, {
  title: 'CampaignCreate',
  required: ['name', 'agent_id'],
  ignored,
});
export type CampaignCreate = ReturnType<typeof campaignCreate.read>;

export const campaignUpdate = v.object(fields, { title: 'CampaignUpdate', ignored });
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

export const campaignQuery = v.object({
  ...pageFields,
  search: v.described(v.text({ max: 1_000 }), 'Selects the campaigns whose name contains this text.'),
  status: v.described(v.oneOf(campaignStatuses), 'Selects the campaigns with this status.'),
  agent_id: v.described(v.text({ max: 64 }), 'Selects the campaigns of this agent.'),
  sort: v.described(v.oneOf(campaignSorts), 'The order. A minus sign reverses it. Default: `-created_at`.'),
  include: v.described(v.oneOf(['schedule']), '`schedule` adds the schedule of each campaign.'),
});
export type CampaignQuery = ReturnType<typeof campaignQuery.read>;

export const enrollmentSorts = ['contact', '-contact', 'next_attempt', '-next_attempt'] as const;
export type EnrollmentSort = (typeof enrollmentSorts)[number];

const enrollmentFilters = {
  status: v.described(v.oneOf(enrollmentStatuses), 'Selects the contacts with this status.'),
};
export const enrollmentExportQuery = v.object(enrollmentFilters);
export type EnrollmentExportQuery = ReturnType<typeof enrollmentExportQuery.read>;

export const enrollmentQuery = v.object({
  ...pageFields,
  ...enrollmentFilters,
  search: v.described(v.text({ max: 1_000 }), 'Selects contacts by name, phone number or email.'),
  sort: v.described(
    v.oneOf(enrollmentSorts),
    'The order: by contact (the newest last), or by the next attempt, which lists only the contacts that wait for one. A minus sign reverses it. Default: `-contact`.',
  ),
});
export type EnrollmentQuery = ReturnType<typeof enrollmentQuery.read>;

export const campaignDuplicate = v.object(
  { name: v.described(fields.name, 'The name of the copy. Default: that of the campaign.') },
  { title: 'CampaignDuplicate' },
);
export type CampaignDuplicate = ReturnType<typeof campaignDuplicate.read>;

const variables = v.described(
  variableMap,
  'Values for the instructions, by name. They win over fields of the contact. A contact that is already enrolled keeps its own.',
);

/** Who to enroll, exactly one of these. */
const selectors = ['contact_ids', 'contacts', 'tag', 'search', 'filter'];

/** What is wrong with a selection, if anything. */
export const selectionProblem = (selection: Readonly<Record<string, unknown>>): string | undefined =>
  selectors.filter((name) => selection[name] !== undefined).length === 1
    ? undefined
    : `must contain exactly one of ${selectors.slice(0, -1).join(', ')} and ${selectors.at(-1)}.`;

const contactWithVariables = v.object(
  { contact_id: v.text({ min: 1, max: 64 }), variables: variableMap },
  { title: 'EnrolledContact', required: ['contact_id'] },
);

export const enrollmentCreate = v.object(
  {
    contact_ids: v.uniqueStrings(v.text({ min: 1, max: 64 }), 1_000, { description: 'The ids of contacts.' }),
    contacts: v.listOf(v.nested(contactWithVariables), {
      max: 1_000,
      description: 'Contacts, each with variables of its own, which win over those of all.',
    }),
    tag: v.described(v.text({ min: 1, max: 64 }), 'Everyone with exactly this tag.'),
    search: v.described(v.text({ min: 1, max: 1_000 }), 'Everyone who matches this search.'),
    filter: v.described(bodyFilter, 'Everyone who matches this filter of the list of contacts.'),
    variables,
  },
  {
    title: 'EnrollmentCreate',
    schema: { oneOf: selectors.map(s.having) },
    check: (value) => {
      const message = selectionProblem(value);
      return message === undefined ? [] : [{ field: 'body', message }];
    },
  },
);
export type EnrollmentCreate = ReturnType<typeof enrollmentCreate.read>;

/** A lease should outlive the differences between the clocks of instances, and the work of a dialer. */
const leaseSeconds = (schema: s.JsonSchema): v.Field<number> => v.integer(10, 86_400, schema);

/** What an update needs one of. */
const changeable = ['status', 'disposition', 'outcome', 'lease_seconds', 'variables'];

/** What the retry rule for a disposition decides. */
const decided = ['status', 'retry_at', 'lease_seconds'];

/** Fields that contradict each other. */
const contradictions = (sent: Readonly<Record<string, unknown>>): Problem[] => {
  const { status, disposition, retry_at, claim_id, lease_seconds } = sent;
  const problems: Problem[] = [];
  const report = (field: string, message: string) => problems.push({ field, message });
  for (const name of decided)
    if (disposition !== undefined && sent[name] !== undefined)
      report(name, 'must not be sent with disposition, whose rule decides it. Leave one of them out.');
  if (disposition !== undefined) return problems;
  if (retry_at !== undefined && status !== 'pending')
    report('retry_at', 'requires status "pending", which returns the contact to the queue.');
  if (lease_seconds !== undefined && claim_id === undefined)
    report('claim_id', 'is required with lease_seconds: send the claim_id of the claim to extend.');
  if (lease_seconds !== undefined && status !== undefined && status !== 'in_progress')
    report(
      'lease_seconds',
      `must not be sent with status "${status}", which ends the lease. Leave one of them out.`,
    );
  if (problems.length === 0 && changeable.every((name) => sent[name] === undefined))
    report(
      'status',
      'is required, unless outcome, lease_seconds or variables is sent. Send disposition to let a retry rule decide it.',
    );
  return problems;
};

const withStatus = (status: EnrollmentStatus, ...required: string[]) => ({
  type: 'object',
  required,
  properties: { status: { const: status }, claim_id: {} },
});

export const enrollmentUpdate = v.object(
  {
    status: v.described(
      v.oneOf(reportedStatuses),
      '`pending` returns the contact to the queue. Every status but `in_progress` ends the lease.',
    ),
    disposition: v.described(
      resultKey,
      "Instead of `status`: how the call ended. The campaign's retry rule for it decides the status and the retry time; without one the request gets 400.",
    ),
    outcome: v.described(
      v.nullable(v.text({ min: 1, max: 200 })),
      'How the attempt went, in your own words or codes; `null` clears it. With `disposition` by default that.',
    ),
    retry_at: v.described(
      v.dateTime(),
      'With status `pending`: when the contact is due again. By default immediately.',
    ),
    claim_id: v.described(
      v.text({ min: 1, max: 64 }),
      'The claim that you report on. If it is no longer the current one, the request gets 409 and changes nothing.',
    ),
    lease_seconds: leaseSeconds({
      description: 'With `claim_id`: extends the lease; it expires in this many seconds.',
    }),
    variables: v.described(
      variableMap,
      'Changes these variables and keeps the others; `null` removes one. A blocked contact that has all missing values then returns to the queue within seconds.',
    ),
  },
  {
    title: 'EnrollmentUpdate',
    schema: {
      anyOf: changeable.map(s.having),
      dependentSchemas: {
        retry_at: withStatus('pending', 'status'),
        lease_seconds: withStatus('in_progress', 'claim_id'),
        disposition: { not: { anyOf: decided.map(s.having) } },
      },
    },
    check: contradictions,
  },
);
export type EnrollmentUpdate = ReturnType<typeof enrollmentUpdate.read>;

export const claimCreate = v.object(
  {
    limit: v.integer(1, 100, { default: 1, description: 'At most this many contacts.' }),
    lease_seconds: leaseSeconds({
      default: 300,
      description: 'How long the contacts are reserved for you.',
    }),
    render: v.boolean({
      default: false,
      description:
        'Whether each claim has the instructions with the values of its contact. A contact without a needed value is blocked instead of handed out.',
    }),
  },
  { title: 'ClaimCreate' },
);
export type ClaimCreate = ReturnType<typeof claimCreate.read>;

const string = s.string();
const nullableTime = (description: string): s.JsonSchema => s.nullable(s.dateTime(description));

const statusCounts = Object.fromEntries(enrollmentStatuses.map((status) => [status, s.count()]));

export const campaignProperties = {
  id: string,
  name: string,
  agent: s.object('CampaignAgent', {
    id: string,
    name: string,
    deleted: s.boolean('Whether the agent was deleted.'),
  }),
  status: s.oneOf(campaignStatuses),
  audience: s.orNull(
    s.object('Audience', { segment_id: string, mode: s.oneOf(audienceModes) }),
    'The segment whose contacts are enrolled automatically.',
  ),
  enrolled: s.object('EnrollmentCounts', statusCounts),
  created_at: s.dateTime('When the campaign was created.'),
  updated_at: s.dateTime('When the campaign was last changed.'),
};

export const campaignResponses = {
  campaign: s.object('Campaign', campaignProperties),
  enrolled: s.object('EnrollmentResult', {
    enrolled: s.integer(),
    already_enrolled: s.integer(),
    not_found: s.list(string),
  }),
  enrollment: s.object('Enrollment', {
    campaign_id: string,
    campaign_name: string,
    campaign_status: s.oneOf(campaignStatuses),
    contact_id: string,
    contact_name: s.nullableString('The display name, or else the first and last name.'),
    contact_phone_number: string,
    status: s.oneOf(
      enrollmentStatuses,
      '`blocked`: a value is missing. `skipped`: no longer in the audience. See `reason`.',
    ),
    reason: s.orNull(
      s.object('EnrollmentReason', {
        code: s.oneOf(reasonCodes),
        holes: s.list(string, 'The variables of the instructions without a value.'),
      }),
      'Why the contact is blocked or skipped; `null` otherwise.',
    ),
    attempts: s.integer('How many times the contact was claimed.'),
    outcome: s.nullableString('The last reported outcome.'),
    retry_at: nullableTime('When a pending contact is due again; `null` if it is due now.'),
    lease_expires_at: nullableTime('When the lease of the current claim expires; `null` without a lease.'),
    last_attempt_at: nullableTime('When the contact was last claimed; `null` before the first time.'),
    variables: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
    enrolled_at: s.dateTime('When the contact was enrolled.'),
    updated_at: s.dateTime('When the enrollment was last changed.'),
  }),
};

/** What the progress of a campaign counts. */
const progressKinds = ['enrolled', 'claimed', 'completed', 'failed'] as const;
export type ProgressKind = (typeof progressKinds)[number];

export const progressResponse = s.object('CampaignProgress', {
  time_zone: string,
  days: s.list(
    s.object('CampaignDay', {
      day: { type: 'string', format: 'date', description: 'A day in the time zone of the workspace.' },
      ...Object.fromEntries(progressKinds.map((kind) => [kind, s.integer()])),
    }),
  ),
  outcomes: s.list(
    s.object('OutcomeCounts', {
      outcome: s.nullableString(
        'The outcome, as it was reported; `null` for all others: a campaign counts its first 50 by name.',
      ),
      ...statusCounts,
    }),
    'The last reported outcomes of enrolled contacts by status, the most frequent first.',
  ),
  missing_values: s.list(
    s.object('MissingValueCount', {
      name: s.string('A variable of the instructions.'),
      contacts: s.integer('How many contacts are blocked because they have no value for it.'),
    }),
    'What blocked contacts lack, the most frequent first.',
  ),
  last_claim: s.orNull(
    s.object('LastClaim', {
      at: s.dateTime('The time of the claim.'),
      key_name: s.nullableString('The name of the API key; `null` if it was deleted, or if a user claimed.'),
    }),
    'When contacts were last claimed, as far as the audit log is kept; `null` if no one has claimed any.',
  ),
  window_opens_at: nullableTime(
    'When the call window opens for the first contact in the queue; `null` if it is open for one, if no contact waits, or without a window.',
  ),
});

/** More days than a year has. */
export const MAX_PROGRESS_DAYS = 366;

export const progressQuery = v.object({
  days: v.queryInteger(1, MAX_PROGRESS_DAYS, 30, { description: 'How many days, up to today.' }),
});
export type ProgressQuery = ReturnType<typeof progressQuery.read>;

export const startCheckResponse = s.object('CampaignStartCheck', {
  ready: s.boolean('Whether there is nothing to ask before the campaign starts.'),
  deployed_version: s.orNull(
    s.object('StartCheckVersion', { id: string, version_label: string }),
    "The agent's deployed version; `null` if there is none, or if the agent was deleted.",
  ),
  agent_deleted: s.boolean(),
  enrolled: s.integer(),
  pending: s.integer(),
  missing_values: s.list(
    s.object('MissingValue', {
      name: s.string('A variable of the deployed instructions.'),
      contacts_without_value: s.integer(),
    }),
    'The variables without a value and without a fallback for some of the enrolled contacts that are not done.',
  ),
  blocked: s.object('StartCheckBlocked', {
    count: s.integer('How many contacts a claim with `render` would block.'),
    is_complete: s.boolean('Whether all contacts were checked. If not, there are at least `count`.'),
    contacts: s.list(
      s.object('WouldBeBlocked', {
        contact_id: string,
        contact_name: s.nullableString('The display name, or else the first and last name.'),
        contact_phone_number: string,
        holes: s.list(string, 'The variables without a value.'),
      }),
      'The first 100 of them. `missing_values` counts all by what is missing.',
    ),
  }),
  unknown_variables: s.list(string),
});

const claim = s.object(
  'Claim',
  {
    claim_id: s.string('Identifies this claim when you report on it.'),
    lease_expires_at: s.dateTime('When the contact is due again, unless you report or extend the lease.'),
    attempt: s.integer('How many times the contact was claimed, including this one.'),
    contact: contactResponses.full,
  },
  {
    version: s.object('RenderedVersion', { id: string, version_label: string }),
    instructions: s.string('With `render`: the instructions for this contact.'),
    sha256: s.string(
      'With `render`: the hash of `instructions`, in hexadecimal digits. Send it with the call.',
    ),
  },
);

export const claimResponse = s.object(
  'ClaimedContacts',
  {
    campaign: s.object('ClaimedCampaign', {
      id: string,
      status: s.oneOf(campaignStatuses, 'Only an active campaign hands out contacts.'),
    }),
    agent: s.object('ClaimAgent', { id: string, name: string }),
    version: s.orNull(
      s.object('ClaimVersion', { id: string, version_label: string, instructions: string }),
      "The agent's deployed version; `null` if no contact was claimed.",
    ),
    claims: s.list(claim),
  },
  {
    config: s.orNull(
      s.mapOf({}),
      'Only with `render`: the config of the version, as it was sent; `null` if no contact was claimed.',
    ),
  },
);
