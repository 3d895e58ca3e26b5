import type { BulkJob } from '../../api/types.gen.ts';
import { plural, t } from '../../lib/i18n.ts';

export const isRunning = ({ status }: Pick<BulkJob, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** Whether there is something to undo. */
export const canUndo = ({ undo_until, changed }: BulkJob): boolean => undo_until !== null && changed > 0;

export const shareOf = ({ processed, total }: BulkJob): number =>
  total === 0 ? 0 : Math.min(100, Math.floor((processed / total) * 100));

/** Deleting a tag is a job that removes it from its contacts. */
const isTagDeletion = ({ filter, add, remove, excluded }: BulkJob): boolean =>
  add.length === 0 &&
  remove.length === 1 &&
  excluded === 0 &&
  filter !== null &&
  'tag' in filter &&
  filter.tag === remove[0];

/** What a job does. */
export const jobTitle = (job: BulkJob): string => {
  if (job.action === 'rename_tag')
    return t('Rename tag “{tag}” to “{to}”', { tag: job.tag ?? '', to: job.to ?? '' });
  if (job.action === 'undo')
    return plural(job.total, 'Undo changes of # contact', 'Undo changes of # contacts');
  if (job.action === 'delete') return plural(job.total, 'Delete # contact', 'Delete # contacts');
  if (job.action === 'enroll') return plural(job.total, 'Enroll # contact', 'Enroll # contacts');
  if (job.action === 'export') return plural(job.total, 'Export # contact', 'Export # contacts');
  if (job.action === 'set_fields')
    return plural(job.total, 'Set fields of # contact', 'Set fields of # contacts');
  if (isTagDeletion(job)) return t('Delete tag “{tag}”', { tag: job.remove[0] ?? '' });
  return plural(job.total, 'Tag # contact', 'Tag # contacts');
};

/** What a job did, for the message at its end. */
export const jobResult = (job: BulkJob, campaignName?: string): string => {
  const { changed, unchanged } = job;
  if (job.status === 'canceled')
    return plural(
      job.processed,
      'Canceled after # contact. Finished changes remain.',
      'Canceled after # contacts. Finished changes remain.',
    );
  if (job.action === 'undo') {
    const restored = plural(changed, '# contact restored.', '# contacts restored.');
    if (job.blocked === 0) return restored;
    return `${restored} ${plural(job.blocked, '# was changed since and keeps that.', '# were changed since and keep that.')}`;
  }
  if (job.action === 'delete') return plural(changed, '# contact deleted.', '# contacts deleted.');
  if (job.action === 'rename_tag')
    return plural(changed, 'Tag renamed on # contact.', 'Tag renamed on # contacts.');
  if (job.action === 'set_fields')
    return plural(changed, 'Fields set for # contact.', 'Fields set for # contacts.');
  if (job.action === 'tag')
    return plural(changed, 'Tags updated for # contact.', 'Tags updated for # contacts.');
  const enrolled = campaignName
    ? plural(changed, '# contact enrolled in {campaign}.', '# contacts enrolled in {campaign}.', {
        campaign: campaignName,
      })
    : plural(changed, '# contact enrolled.', '# contacts enrolled.');
  if (unchanged === 0) return enrolled;
  return `${enrolled} ${plural(unchanged, '# was already enrolled.', '# were already enrolled.')}`;
};
