import { routesOf } from '../../http/pipeline/route.ts';
import { member, needs } from '../workspaces/access.ts';
import { activityQuery, callInclude, callResponses, callUpdate } from './call.schema.ts';
import { getCall, getContactActivity } from './call.service.ts';
import { MAX_LISTED_TAGS } from './call.store.ts';
import { listCallTags, updateCall } from './call.update.ts';
import { callFilterQuery, callQuery } from './call-filter.schema.ts';
import { listCalls } from './call-list.service.ts';
import { MAX_TOTAL } from './call-list.store.ts';
import { callSettingsBody, callSettingsResponse } from './call-settings.schema.ts';
import { getCallSettings, replaceCallSettings } from './call-settings.service.ts';
import { getCallStatistics } from './call-statistics.service.ts';
import { MAX_OUTCOME_DAYS, outcomeQuery, outcomesResponse } from './outcome.schema.ts';
import { getOutcomes } from './outcome.service.ts';
import {
  MAX_TRANSCRIPT_BYTES,
  storedTranscript,
  transcriptBody,
  transcriptResponse,
} from './transcript.schema.ts';
import { getTranscript, replaceTranscript } from './transcript.service.ts';

const route = routesOf(needs('calls:read'));
const forMembers = routesOf(member);

export const callRoutes = {
  'GET /v1/calls': route({
    run: listCalls,
    summary: 'List calls',
    description: `Calls and messages, newest first. A call must match every filter. With several filters the total counts at most ${MAX_TOTAL} calls.`,
    query: callQuery,
    data: callResponses.call,
    list: true,
    hasCappedTotal: true,
  }),

  'GET /v1/calls/statistics': route({
    run: getCallStatistics,
    summary: 'Count calls by status, day, duration and version',
    description:
      'The calls that match every filter. The period is the last 30 days unless times are given, and at most 366 days. Days are in the time zone of the workspace.',
    query: callFilterQuery,
    data: callResponses.statistics,
  }),

  'GET /v1/calls/tags': route({
    run: listCallTags,
    summary: 'List the tags of calls',
    description: `In alphabetical order, at most ${MAX_LISTED_TAGS}.`,
    data: callResponses.tags,
  }),

  'GET /v1/outcomes': route({
    run: getOutcomes,
    summary: 'Count dispositions and goals by day, version and channel',
    description: `The calls that match every filter, exactly, of at most ${MAX_OUTCOME_DAYS} days: by default the last 30. A call counts for the day on which it started, in the time zone of the workspace.`,
    query: outcomeQuery,
    data: outcomesResponse,
  }),

  'GET /v1/call-settings': route({
    run: getCallSettings,
    summary: 'Get the call settings',
    data: callSettingsResponse,
    hasEtag: true,
  }),

  'PUT /v1/call-settings': route({
    access: needs('admin'),
    run: replaceCallSettings,
    summary: 'Replace the call settings',
    description:
      'The dispositions that reports may have, the rules that copy reported data to fields of contacts, and the retention of transcripts. A disposition that calls have may be removed: they keep it. Without `transcript_days`, stored transcripts are deleted within the hour.',
    body: callSettingsBody,
    data: callSettingsResponse,
    hasEtag: true,
  }),

  'GET /v1/calls/:id/transcript': route({
    run: getTranscript,
    summary: "Get a call's transcript",
    data: transcriptResponse,
  }),

  'PUT /v1/calls/:id/transcript': route({
    access: needs('calls:write'),
    run: replaceTranscript,
    summary: "Replace a call's transcript",
    description:
      'Only if the call settings keep transcripts. It expires, and is deleted with the contact. Without turns it is erased, whatever the settings.',
    body: transcriptBody,
    maxBody: MAX_TRANSCRIPT_BYTES,
    data: storedTranscript,
    errors: ['CONFLICT'],
  }),

  'GET /dashboard/api/contacts/activity': forMembers({
    run: getContactActivity,
    summary: 'Get the first and last call or message of contacts',
    description:
      'The times `first_contact_at` and `last_contact_at` of a contact begin with its creation; these do not.',
    query: activityQuery,
    data: callResponses.activity,
  }),

  'GET /v1/calls/:id': route({
    run: getCall,
    summary: 'Get a call',
    query: callInclude,
    data: callResponses.full,
    errors: ['VALIDATION_ERROR'],
  }),

  'PATCH /v1/calls/:id': route({
    access: needs('calls:write', { also: ['calls:read'] }),
    run: updateCall,
    summary: "Change a call's note and tags",
    description:
      'What your team adds to a call. Reports do not change it; it is deleted with the contact. A note or tags for a call whose contact was deleted are 409.',
    body: callUpdate,
    data: callResponses.call,
    errors: ['CONFLICT'],
  }),
};
