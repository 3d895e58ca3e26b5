import { invalidField } from '../../../lib/errors.ts';
import { parseUuid } from '../../../lib/ids.ts';
import * as v from '../../../lib/validation.ts';
import { callQuery } from '../../calls/call-filter.schema.ts';
import { callColumns, listCalls as listCallsPage } from '../../calls/call-list.service.ts';
import {
  campaignCreate,
  type EnrollmentCreate,
  enrollmentCreate,
  enrollmentQuery,
  selectionProblem,
} from '../../campaigns/campaign.schema.ts';
import { campaignId, createCampaign, getCampaign, listCampaigns } from '../../campaigns/campaign.service.ts';
import { enroll, listCampaignEnrollments } from '../../campaigns/enrollment.service.ts';
import { channelId } from '../../channels/channel.service.ts';
import { contactId } from '../../contacts/contact.service.ts';
import { rowQuery } from '../../imports/import.schema.ts';
import { getImport, listImports, listRows } from '../../imports/import.service.ts';
import { assertAlso } from '../../workspaces/access.guard.ts';
import { ADD, argumentsOf, id, idFilter, listAnswer, pick, plural, READ, tool, withFirst } from '../tool.ts';

/** Names say more than these. */
const HIDDEN: readonly string[] = [
  ...['version_id', 'channel_id', 'channel_kind', 'provider_id'],
  // A page with the data of a hundred calls is too long.
  ...['session_id', 'cost', 'recording_url', 'data'],
];
export const CALL_FIELDS = callColumns.filter((name) => !HIDDEN.includes(name));

export const listCalls = tool({
  name: 'list_calls',
  title: 'List calls',
  description:
    'Calls and messages, newest first, optionally of one contact, agent, channel or direction, or with a number, a result, a tag, a duration or a text in summary, note or transcript.',
  scope: 'calls:read',
  hints: READ,
  input: v.object({
    contact_id: idFilter('a contact (contact_… or a UUID)', contactId.parse, 'Only calls with this contact.'),
    agent_id: idFilter('an agent (a UUID)', parseUuid, 'Only calls that this agent handled.'),
    channel_id: idFilter('a channel (channel_… or a UUID)', channelId.parse, 'Only calls on this channel.'),
    ...argumentsOf(
      callQuery,
      'direction',
      'number',
      'disposition',
      'goal',
      'tag',
      'seconds_min',
      'seconds_max',
      'search',
    ),
    ...argumentsOf(callQuery, 'limit', 'offset'),
  }),
  run: async ({ storage, principal }, query) => {
    const page = await storage.run(listCallsPage, principal, query);
    return listAnswer('list_calls', ['call'], { ...page, ...query }, (call) => pick(call, CALL_FIELDS));
  },
});

export const campaignStatus = tool({
  name: 'campaign_status',
  title: 'Show the status of campaigns',
  description:
    'Without campaign_id: all campaigns, newest first, each with its status and the number of contacts by progress. With campaign_id: that campaign and its enrollments.',
  scope: 'campaigns:read',
  hints: READ,
  input: v.object({
    campaign_id: id('The id of the campaign.'),
    status: v.described(
      enrollmentQuery.fields.status,
      'Only enrollments with this status; needs campaign_id.',
    ),
    ...argumentsOf(enrollmentQuery, 'limit', 'offset'),
  }),
  run: async ({ storage, principal }, { campaign_id, status, ...query }) => {
    if (campaign_id === undefined) {
      if (status) throw invalidField('status', 'needs campaign_id.');
      const page = await storage.run(listCampaigns, principal, query);
      return listAnswer('campaign_status', ['campaign'], { ...page, ...query });
    }
    const campaign = await storage.run(getCampaign, principal, { id: campaign_id });
    const page = await storage.run(listCampaignEnrollments, principal, {
      id: campaign.id,
      ...query,
      ...(status && { status }),
    });
    const list = listAnswer('campaign_status', ['enrollment'], { ...page, ...query }, (each) =>
      pick(each, ['contact_id', 'contact_name', 'contact_phone_number', 'status', 'reason', 'updated_at']),
    );
    return withFirst(`Campaign ${campaign.id} is ${campaign.status}.`, { campaign }, list);
  },
});

export const enrollPeople = tool({
  name: 'enroll_people',
  title: 'Enroll people in a campaign',
  description:
    'Enrolls contacts in a campaign, each once: by contact_ids, or everyone with a tag, or everyone who matches a search. People in an active campaign will be called. To start a new campaign, which begins as a draft, send name and agent_id instead of campaign_id.',
  scope: 'campaigns:write',
  alsoNeeds: ['contacts:read'],
  hints: ADD,
  input: v.object({
    campaign_id: id('The id of an existing campaign.'),
    name: v.described(campaignCreate.fields.name, 'The name of a new campaign.'),
    agent_id: id('The agent of a new campaign.'),
    ...enrollmentCreate.fields,
  }),
  run: async ({ storage, principal }, { campaign_id, name, agent_id, ...audience }) => {
    const isNew = campaign_id === undefined;
    if (isNew ? !(name && agent_id) : name !== undefined || agent_id !== undefined)
      throw invalidField('campaign_id', 'Send campaign_id, or name and agent_id for a new campaign.');
    if (isNew) assertAlso(principal, 'agents:read');
    assertAudience(audience);
    const campaign = isNew
      ? (await storage.run(createCampaign, principal, { name: name as string, agent_id: agent_id as string }))
          .id
      : campaignId.require(campaign_id);
    const { enrolled, already_enrolled, not_found } = await enroll(storage, principal, {
      campaign,
      audience,
    });
    return {
      summary: `${isNew ? `Created campaign ${campaign} as a draft. ` : ''}Enrolled ${plural(enrolled, 'contact')}; ${already_enrolled} were already enrolled, ${plural(not_found.length, 'id')} not found.`,
      ...(not_found.length > 0 && { records: not_found.map((each) => ({ not_found: each })) }),
      structured: { campaign_id: campaign, enrolled, already_enrolled, not_found: not_found.length },
    };
  },
});

/** Validates the contacts before a campaign is created for them. */
const assertAudience = (audience: EnrollmentCreate) => {
  const problem = selectionProblem(audience);
  if (problem) throw invalidField('contact_ids', `The selection ${problem}`);
};

export const importStatus = tool({
  name: 'import_status',
  title: 'Show the status of imports',
  description:
    'Without import_id: the imports of contact files, newest first. With import_id: its state, progress and counts, and the rows that could not be imported.',
  scope: 'imports:write',
  hints: READ,
  input: v.object({
    import_id: id('The id of the import.'),
    ...argumentsOf(rowQuery, 'limit', 'offset'),
  }),
  run: async ({ storage, principal }, { import_id, ...query }) => {
    const fields = ['id', 'name', 'state', 'totals', 'progress', 'rows', 'created_at', 'applied_at'] as const;
    if (import_id === undefined) {
      const page = await storage.run(listImports, principal, query);
      return listAnswer('import_status', ['import'], { ...page, ...query }, (each) => pick(each, fields));
    }
    const found = await storage.run(getImport, principal, { id: import_id });
    const page = await storage.run(listRows, principal, { id: import_id, verdict: 'invalid', ...query });
    const list = listAnswer('import_status', ['invalid row'], { ...page, ...query }, (row) => ({
      invalid_row: pick(row, ['line', 'field', 'reason']),
    }));
    const state = `${found.state}: ${found.progress} of ${plural(found.rows, 'row')} processed`;
    return withFirst(`Import ${found.id} is ${state}.`, { import: pick(found, fields) }, list);
  },
});
