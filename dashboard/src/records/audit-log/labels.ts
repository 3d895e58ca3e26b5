import type { AuditActor, AuditEntry } from '../../api/types.gen.ts';
import { numberText, t } from '../../lib/i18n.ts';
import { profileLabels } from '../contacts/labels.ts';
import type { Kind } from './url-params.ts';

export const kindLabels: Record<Kind, string> = {
  contact: t('Contact'),
  agent: t('Agent'),
  version: t('Version'),
  channel: t('Channel'),
  call: t('Call'),
  campaign: t('Campaign'),
  enrollment: t('Enrollment'),
  import: t('Import'),
  integration: t('Integration'),
  webhook: t('Webhook'),
  key: t('API key'),
  user: t('Member'),
  link: t('Sign-in link'),
  session: t('Session'),
  settings: t('Settings'),
  segment: t('Segment'),
  view: t('View'),
  bulk_job: t('Bulk job'),
  duplicate: t('Likely duplicates'),
  workspace: t('Workspace'),
};

export const actorKinds: Record<AuditActor['kind'], string> = {
  key: t('API key'),
  user: t('User'),
  channel: t('Channel'),
  integration: t('Integration'),
  webhook: t('Webhook'),
  environment: t('Environment API key'),
  'command line': t('Command line'),
  start: t('Service startup'),
  schedule: t('Campaign schedule'),
  audience: t('Campaign audience'),
  unknown: t('Unknown'),
};

/** The interface of a change that is not the usual one of its actor. */
export const viaLabels: Record<NonNullable<AuditEntry['via']>, string> = { mcp: t('via MCP') };

type Action = AuditEntry['action'];

export const kindOf = ({ action }: Pick<AuditEntry, 'action'>): Kind => action.split('.')[0] as Kind;

/** Labels for actions where `Record verb` reads badly. */
const actionLabels = {
  'session.created': t('Signed in'),
  'session.deleted': t('Signed out'),
  'session.refused': t('Sign-in failed'),
  'channel.secret_rotated': t('Channel secret rotated'),
  'channel.old_secret_revoked': t('Old channel secret revoked'),
  'integration.secret_rotated': t('Integration secret rotated'),
  'integration.old_secret_revoked': t('Old integration secret revoked'),
  'webhook.secret_rotated': t('Webhook secret rotated'),
  'webhook.old_secret_revoked': t('Old webhook secret revoked'),
  'webhook.replay_canceled': t('Webhook replay canceled'),
  'bulk_job.canceled': t('Bulk job canceled'),
  'contact.merged': t('Contacts merged'),
  'contact.unmerged': t('Merge undone'),
  'user.created': t('Member added'),
  'user.deleted': t('Member removed'),
} satisfies Partial<Record<Action, string>>;

type Other = Exclude<Action, keyof typeof actionLabels>;
type Change = Other extends `${string}.${infer Verb}` ? Verb : never;

const changeLabels: Readonly<Record<Change, string>> = {
  created: t('created'),
  updated: t('updated'),
  deleted: t('deleted'),
  revoked: t('revoked'),
  deployed: t('deployed'),
  connected: t('connected'),
  disconnected: t('disconnected'),
  claimed: t('claimed'),
  applied: t('applied'),
  undone: t('undone'),
  recorded: t('recorded'),
  exported: t('exported'),
  test: t('tested'),
  replayed: t('replayed'),
  disabled: t('disabled'),
  dismissed: t('dismissed'),
  restored: t('restored'),
};

const hasLabel = (action: Action): action is keyof typeof actionLabels => action in actionLabels;

const spaced = (name: string): string => name.replaceAll('_', ' ');

/** A page that is open during an upgrade may get an action that it does not know. */
const changeText = (action: string): string => {
  const change = action.split('.')[1] ?? '';
  return changeLabels[change as Change] ?? spaced(change);
};

/** `Contact deleted`. */
export const actionText = (entry: Pick<AuditEntry, 'action'>): string =>
  hasLabel(entry.action)
    ? actionLabels[entry.action]
    : `${kindLabels[kindOf(entry)]} ${changeText(entry.action)}`;

/** Labels of fields whose name is not a word of the dashboard. */
const fieldLabels: Readonly<Record<string, string>> = {
  ...profileLabels,
  name: t('Name'),
  description: t('Description'),
  instructions: t('Instructions'),
  status: t('Status'),
  role: t('Role'),
  password: t('Password'),
  default_country: t('Default country'),
  time_zone: t('Time zone'),
  crm_ids: t('CRM IDs'),
  identities: t('Identities'),
  query: t('Filters'),
  label: t('Label'),
  options: t('Options'),
  filterable: t('Filterable'),
  archived: t('Archived'),
  archived_at: t('Archived'),
  variables: t('Variables'),
  address: t('Address'),
  adapter: t('Platform'),
  agent_id: t('Agent'),
  campaign_id: t('Campaign'),
  segment_id: t('Segment'),
  audience: t('Audience'),
  mode: t('Mode'),
  starts_at: t('Start time'),
  start_status: t('Automatic start'),
  ends_at: t('End time'),
  call_window: t('Call window'),
  max_attempts: t('Attempts per contact'),
  min_retry_minutes: t('Minutes between attempts'),
  retry_rules: t('By disposition'),
  url: t('Endpoint URL'),
  types: t('Events'),
  tag: t('Tag'),
  payload: t('Payload'),
  include: t('Included values'),
  max_concurrency: t('Concurrent requests'),
  rate_per_second: t('Requests per second'),
  dispositions: t('Dispositions'),
  field_rules: t('Rules for fields'),
  transcript_days: t('Days until a transcript is deleted'),
  chat_url: t('URL of the chat model'),
  chat_model: t('Chat model'),
  sample_data: t('Sample data'),
  chat_key: t('API key of the chat model'),
};

/** The workspace's own fields have the prefix `fields.`; `labels` are theirs by key. */
export const fieldLabel = (field: string, labels: ReadonlyMap<string, string>): string => {
  const key = field.replace(/^fields\./, '');
  return (key === field ? fieldLabels[field] : labels.get(key)) ?? spaced(key);
};

/** `Company, Notes`. */
export const fieldsText = (fields: readonly string[], labels: ReadonlyMap<string, string>): string =>
  fields.map((field) => fieldLabel(field, labels)).join(', ');

/** Labels for counts; a count without one is shown by its name. */
const countLabels: Readonly<Record<string, string>> = {
  create: t('to create'),
  update: t('to update'),
  duplicate_in_file: t('duplicate in file'),
  created: t('created'),
  updated: t('updated'),
  deleted: t('deleted'),
  changed: t('changed'),
  unchanged: t('unchanged'),
  invalid: t('invalid'),
  contacts: t('contacts'),
  enrolled: t('enrolled'),
  removed: t('removed'),
  restored: t('restored'),
  edited_since: t('edited since'),
  unenrolled: t('removed from the campaign'),
  still_enrolled: t('still enrolled'),
};

/** `3 created · 1 edited since`. */
export const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${numberText(count)} ${countLabels[name] ?? spaced(name)}`)
    .join(' · ');

export const actorName = ({ kind, name, id }: AuditActor): string => name ?? id ?? actorKinds[kind];
