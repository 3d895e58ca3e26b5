import type { AuditActor, AuditEntry } from '../../api/types.gen.ts';
import { numberText } from '../../lib/format.ts';
import type { Kind } from './list/url-params.ts';

export const kindLabels: Record<Kind, string> = {
  contact: 'Contact',
  agent: 'Agent',
  version: 'Version',
  channel: 'Channel',
  call: 'Call',
  campaign: 'Campaign',
  enrollment: 'Enrollment',
  import: 'Import',
  integration: 'Integration',
  key: 'API key',
  user: 'Member',
  link: 'Sign-in link',
  session: 'Session',
  settings: 'Settings',
  workspace: 'Workspace',
};

export const actorKinds: Record<AuditActor['kind'], string> = {
  key: 'API key',
  user: 'User',
  channel: 'Channel',
  integration: 'Integration',
  environment: 'Environment API key',
  'command line': 'Command line',
  start: 'Service startup',
  unknown: 'Unknown',
};

export const kindOf = ({ action }: Pick<AuditEntry, 'action'>): Kind => action.split('.')[0] as Kind;

/** Labels for actions where `Record verb` reads badly. */
const actionLabels: Partial<Record<AuditEntry['action'], string>> = {
  'session.created': 'Signed in',
  'session.deleted': 'Signed out',
  'session.refused': 'Sign-in failed',
  'channel.secret_rotated': 'Channel secret rotated',
  'channel.old_secret_revoked': 'Old channel secret revoked',
  'integration.secret_rotated': 'Integration secret rotated',
  'integration.old_secret_revoked': 'Old integration secret revoked',
  'user.created': 'Member added',
  'user.deleted': 'Member removed',
};

/** `Contact deleted`. */
export const actionText = (entry: Pick<AuditEntry, 'action'>): string =>
  actionLabels[entry.action] ?? `${kindLabels[kindOf(entry)]} ${entry.action.split('.')[1]}`;

/** Labels for the counts of an import preview; the other counts are labels already. */
const countLabels: Readonly<Record<string, string>> = {
  create: 'to create',
  update: 'to update',
  duplicate_in_file: 'duplicate in file',
};

/** `3 created · 1 edited since`. */
export const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${numberText(count)} ${countLabels[name] ?? name.replaceAll('_', ' ')}`)
    .join(' · ');

export const actorName = ({ kind, name, id }: AuditActor): string => name ?? id ?? actorKinds[kind];
