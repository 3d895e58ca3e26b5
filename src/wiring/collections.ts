import { versionParams } from '../features/agents/agent.schema.ts';
import { bulkJobId } from '../features/bulk/bulk.service.ts';
import { callId } from '../features/calls/call.service.ts';
import { campaignId } from '../features/campaigns/campaign.service.ts';
import { channelId } from '../features/channels/channel.service.ts';
import { contactId } from '../features/contacts/contact.service.ts';
import { segmentId } from '../features/contacts/segment.store.ts';
import { duplicateId } from '../features/duplicates/duplicate.store.ts';
import { importId } from '../features/imports/plan.service.ts';
import { integrationId } from '../features/integrations/integration.service.ts';
import { mergeId } from '../features/merges/merge.service.ts';
import { viewId } from '../features/views/view.service.ts';
import { webhookId } from '../features/webhooks/webhook.service.ts';
import { keyId } from '../features/workspaces/key.service.ts';
import { userId } from '../features/workspaces/user.service.ts';
import type { JsonSchema } from '../lib/schemas.ts';
import { eventIdPattern } from '../records/event.id.ts';

/** What the routes of a collection have in common in the OpenAPI documents, by the name in the path. `id` is the schema of `:id`. */
export const collections: Readonly<Record<string, { readonly group: string; readonly id?: JsonSchema }>> = {
  contacts: { group: 'Contacts', id: contactId.schema },
  identities: { group: 'Contacts' },
  merges: { group: 'Contacts', id: mergeId.schema },
  tags: { group: 'Contacts' },
  duplicates: { group: 'Duplicates', id: duplicateId.schema },
  fields: { group: 'Fields' },
  segments: { group: 'Segments', id: segmentId.schema },
  'bulk-jobs': { group: 'Bulk jobs', id: bulkJobId.schema },
  agents: { group: 'Agents', id: versionParams.id },
  deploys: { group: 'Agents' },
  channels: { group: 'Channels', id: channelId.schema },
  calls: { group: 'Calls', id: callId.schema },
  'call-settings': { group: 'Calls' },
  outcomes: { group: 'Calls' },
  campaigns: { group: 'Campaigns', id: campaignId.schema },
  imports: { group: 'Imports', id: importId.tokenSchema },
  integrations: { group: 'Integrations', id: integrationId.schema },
  keys: { group: 'Keys', id: keyId.tokenSchema },
  users: { group: 'Users', id: userId.tokenSchema },
  settings: { group: 'Settings' },
  'chat-model': { group: 'Settings' },
  audit: { group: 'Activity' },
  events: { group: 'Events', id: { pattern: eventIdPattern, description: 'The id of the event.' } },
  webhooks: { group: 'Webhooks', id: webhookId.schema },
  session: { group: 'Session' },
  reads: { group: 'Session' },
  views: { group: 'Views', id: viewId.schema },
  notices: { group: 'Notices' },
  figures: { group: 'Figures' },
  attention: { group: 'Figures' },
  'sample-data': { group: 'Sample data' },
};

/** The descriptions of the groups. */
export const groups: Readonly<Record<string, string>> = {
  Session: 'Sign in and out, and change the password.',
  Figures: 'The counts on the home page.',
  'Bulk jobs': 'Changes and exports of many contacts that run in the background.',
  Events: 'The feed of changes of records.',
  'Sample data': 'A workspace of fictional records, to look around.',
  Notices: 'What the dashboard informs its users of.',
  Views: 'Filters, order and columns of a list under a name.',
  Activity: 'Who changed what, and when.',
  Settings: 'Settings of the workspace.',
  Contacts: 'People, each with a phone number that is unique in the workspace.',
  Duplicates: 'Contacts that are likely the same person.',
  Fields: 'What a workspace stores about its contacts besides the fields that all have.',
  Segments: 'Filters of contacts under a name, which lists and campaigns use.',
  Agents: 'AI agents, their versions and deploys.',
  Channels: 'Addresses where an agent answers, such as phone numbers.',
  Calls: 'Calls and messages on the channels.',
  Campaigns: 'An agent and the contacts enrolled for it.',
  Imports: 'Files of contacts: preview, apply and undo.',
  Integrations: 'CRMs that write contacts through a hook.',
  Keys: 'API keys and their scopes.',
  Users: 'People who sign in to the dashboard.',
  Webhooks: 'URLs that events are sent to.',
  Hooks: 'URLs that voice runtimes, phone providers and CRMs call.',
};
