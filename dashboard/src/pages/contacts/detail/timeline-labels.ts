import type { TimelineActor, TimelineEntry } from '../../../api/types.gen.ts';
import { language, t } from '../../../lib/i18n.ts';
import { fieldsText } from '../../../records/audit-log/labels.ts';
import { enrollmentStatusLabels } from '../../../records/campaigns/labels.tsx';
import type { TimelineKind } from './url-params.ts';

export const kindLabels: Record<TimelineKind, string> = {
  edit: t('Edits'),
  tag: t('Tags'),
  import: t('Imports'),
  enrollment: t('Campaigns'),
  call: t('Calls'),
  message: t('Messages'),
};

const lists = new Intl.ListFormat(language, { type: 'conjunction' });

/** `a, b and c`. */
export const listText = (words: readonly string[]): string => lists.format(words);

/** What an edit, an import or a creation did. */
export const changeText = (
  { action, fields, tags, source }: TimelineEntry,
  labels: ReadonlyMap<string, string>,
): string => {
  if (action === 'contact.created')
    return source === 'inbound' ? t('Created by an inbound call or message') : t('Created');
  if (tags && fields?.length === 1) return tagsText(tags);
  return t('Changed: {fields}', { fields: fieldsText(fields ?? [], labels) });
};

const tagsText = ({ added, removed }: NonNullable<TimelineEntry['tags']>): string =>
  removed.length === 0
    ? t('Tagged {tags}', { tags: listText(added) })
    : added.length === 0
      ? t('Removed the tag {tags}', { tags: listText(removed) })
      : t('Tagged {added}, removed {removed}', { added: listText(added), removed: listText(removed) });

const enrollmentTexts: Partial<Record<TimelineEntry['action'], string>> = {
  'enrollment.created': t('Enrolled in a campaign'),
  'enrollment.deleted': t('Removed from a campaign'),
};

export const enrollmentText = ({ action, enrollment }: TimelineEntry): string => {
  const status = enrollment?.status ? enrollmentStatusLabels[enrollment.status].toLowerCase() : '';
  if (action === 'enrollment.claimed')
    return enrollment?.attempts
      ? t('Attempt {number} started', { number: enrollment.attempts })
      : t('Attempt started');
  return enrollmentTexts[action] ?? (status ? t('Marked as {status}', { status }) : t('Enrollment changed'));
};

const actorTexts: Partial<Record<TimelineActor['kind'], string>> = {
  environment: t('Environment API key'),
  'command line': t('Command line'),
  start: t('Service startup'),
  audience: t('the audience of the campaign'),
};

const removedTexts: Partial<Record<TimelineActor['kind'], string>> = {
  user: t('a removed user'),
  key: t('a deleted API key'),
  channel: t('a deleted channel'),
  integration: t('a deleted integration'),
  import: t('a deleted import'),
};

export const actorText = ({ kind, name }: TimelineActor): string =>
  name ?? actorTexts[kind] ?? removedTexts[kind] ?? t('Unknown');

/** What kind of actor it is, next to its name. A user is known by the email. */
export const actorKindLabels: Partial<Record<TimelineActor['kind'], string>> = {
  key: t('API key'),
  channel: t('Channel'),
  integration: t('Integration'),
  import: t('Import'),
};
