import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, ListChecks } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { apiQuery, invalidate } from '../../api/query.ts';
import type { BulkJob } from '../../api/types.gen.ts';
import { plural, t, translatedMessage } from '../../lib/i18n.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { useBulkJobs } from './jobs-query.ts';
import { canUndo, isRunning, jobResult, jobTitle } from './labels.ts';
import { downloadExport, undoBulkJob } from './start.ts';

const statuses: Readonly<Record<BulkJob['status'], { readonly label: string; readonly tone: Tone }>> = {
  queued: { label: t('Queued'), tone: 'plain' },
  running: { label: t('Running'), tone: 'info' },
  done: { label: t('Done'), tone: 'good' },
  canceled: { label: t('Canceled'), tone: 'warn' },
  failed: { label: t('Failed'), tone: 'danger' },
};

/** The recent bulk jobs of the workspace, newest first, or one of them and its undo. */
const JobsDialog = ({ id, onClose }: { readonly id?: string; readonly onClose: () => void }) => {
  const recent = useBulkJobs() ?? [];
  const one = useQuery({
    ...apiQuery('/bulk-jobs/{id}', { params: { id: id ?? '' } }),
    enabled: id !== undefined,
  }).data?.data;
  const others = recent.filter((job) => job.id === id || job.undoes === id);
  const jobs = id === undefined ? recent : [...others, ...(one ? [one] : [])];
  const shown = [...new Map(jobs.map((job) => [job.id, job])).values()];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Jobs')}
      description={t('Changes of many contacts run on the server. You can leave this page.')}
      footer={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      {shown.length === 0 ? (
        <EmptyState icon={<ListChecks />} title={t('No jobs in the last 30 days')} />
      ) : (
        <ul className="divide-y divide-line">
          {shown.map((job) => (
            <Job key={job.id} job={job} onClose={onClose} />
          ))}
        </ul>
      )}
    </Dialog>
  );
};
export default JobsDialog;

const Job = ({ job, onClose }: { readonly job: BulkJob; readonly onClose: () => void }) => {
  const { label, tone } = statuses[job.status];
  const title = jobTitle(job);
  const cancel = useMutation({
    mutationFn: () => call('POST', '/bulk-jobs/{id}/cancel', { params: { id: job.id } }),
    onSuccess: () => invalidate('/bulk-jobs'),
    onError: (error) => toast.failed(error),
  });
  return (
    <li className="flex flex-col gap-2 py-3 text-sm">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span dir="auto" className="min-w-0 flex-1 font-medium wrap-anywhere">
          {title}
        </span>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <TagChanges job={job} />
      {isRunning(job) && <ProgressBar label={t('Progress')} value={job.processed} max={job.total} />}
      {!isRunning(job) && job.status !== 'failed' && job.action !== 'export' && <p>{jobResult(job)}</p>}
      <Others job={job} />
      {job.error && <Notice tone="danger">{job.error}</Notice>}
      {job.blocked > 0 && <Blocked job={job} onClose={onClose} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
        <span className="min-w-0 flex-1 wrap-anywhere">
          {job.created_by_email && `${job.created_by_email} · `}
          <Time at={job.created_at} />
        </span>
        <JobLink job={job} onClose={onClose} />
        {isRunning(job) && (
          <Button
            size="small"
            busy={cancel.isPending}
            aria-label={t('Cancel: {job}', { job: title })}
            onClick={() => cancel.mutate()}
          >
            {t('Cancel')}
          </Button>
        )}
        {canUndo(job) && <UndoButton job={job} />}
        {job.undone_by && job.undo_until === null && <span>{t('Undone')}</span>}
        {job.action === 'export' && (
          <Button size="small" onClick={() => downloadExport(job.id)}>
            <Download aria-hidden />
            {t('Download')}
          </Button>
        )}
      </div>
    </li>
  );
};

const UndoButton = ({ job }: { readonly job: BulkJob }) => {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button
        size="small"
        aria-label={t('Undo: {job}', { job: jobTitle(job) })}
        onClick={() => setAsked(true)}
      >
        {t('Undo')}
      </Button>
      {isAsked && (
        <ConfirmDialog
          open
          onOpenChange={setAsked}
          title={t('Undo this job?')}
          action={t('Undo')}
          consequences={[
            plural(
              job.changed,
              'What the job changed in # contact is restored.',
              'What the job changed in # contacts is restored.',
            ),
            t('What someone has changed since stays, and is counted.'),
            ...(job.action === 'enroll' ? [t('Contacts that a dialer has claimed stay enrolled.')] : []),
          ]}
          onConfirm={() => undoBulkJob(job.id)}
        />
      )}
    </>
  );
};

const TagChanges = ({ job }: { readonly job: BulkJob }) =>
  job.action === 'tag' && (
    <p className="flex flex-wrap gap-1.5 text-muted">
      {job.add.map((tag) => (
        <Badge key={`+${tag}`} tone="good">
          + <bdi>{tag}</bdi>
        </Badge>
      ))}
      {job.remove.map((tag) => (
        <Badge key={`-${tag}`}>
          − <bdi>{tag}</bdi>
        </Badge>
      ))}
    </p>
  );

/** The contacts that were not changed, except those that the result names. */
const Others = ({ job }: { readonly job: BulkJob }) => {
  const texts = [
    job.action === 'tag' &&
      job.unchanged > 0 &&
      plural(job.unchanged, '# needed no change.', '# needed no change.'),
    job.missing > 0 && plural(job.missing, '# no longer exists.', '# no longer exist.'),
  ].filter(Boolean);
  return texts.length > 0 && <p className="text-muted">{texts.join(' ')}</p>;
};

const Blocked = ({ job, onClose }: { readonly job: BulkJob; readonly onClose: () => void }) => {
  const more = job.blocked - job.blocked_contacts.length;
  return (
    <Notice tone="warn">
      <p>
        {job.action === 'undo'
          ? plural(job.blocked, '# contact was changed since:', '# contacts were changed since:')
          : plural(job.blocked, "# contact couldn't be updated:", "# contacts couldn't be updated:")}
      </p>
      <ul className="mt-1 list-disc pl-5">
        {job.blocked_contacts.map(({ id, reason }) => (
          <li key={id}>
            <Link to="/contacts/$id" params={{ id }} className="underline" onClick={onClose}>
              {t('Open contact')}
            </Link>
            . {translatedMessage(reason) ?? reason}
          </li>
        ))}
        {more > 0 && <li>{plural(more, 'and # more', 'and # more')}</li>}
      </ul>
    </Notice>
  );
};

const linkClass = 'shrink-0 rounded font-medium text-ink underline';

const yesNo = (value: unknown) => (value ? 'yes' : 'no');

/** The filters of the list by those of a job. Ranges of time are not among them: the list has days. */
const listFilters: Readonly<Record<string, (value: unknown) => Readonly<Record<string, string>>>> = {
  search: (value) => ({ search: String(value) }),
  filter: (value) => ({ filter: JSON.stringify(value) }),
  tag: (value) => ({ tag: String(value) }),
  has_tag: (value) => ({ tags: (value as readonly string[]).join(',') }),
  has_tag_match: (value) => ({ tags_match: String(value) }),
  source: (value) => ({ source: String(value) }),
  company: (value) => ({ company: String(value) }),
  campaign: (value) => ({ campaign: String(value) }),
  import: (value) => ({ import: String(value) }),
  has_email: (value) => ({ email: yesNo(value) }),
  has_name: (value) => ({ named: yesNo(value) }),
  in_campaign: (value) => ({ enrolled: yesNo(value) }),
  called: (value) => ({ called: yesNo(value) }),
};

/** The address of the list with the filter of a job; undefined if the list has no such filter. */
const listSearch = (filter: object): Record<string, string> | undefined => {
  const entries = Object.entries(filter);
  return entries.every(([name]) => listFilters[name])
    ? Object.assign({}, ...entries.map(([name, value]) => listFilters[name]?.(value)))
    : undefined;
};

/** Leads to the contacts that the job is about. Those of a selection by ids have no list of their own. */
const JobLink = ({ job, onClose }: { readonly job: BulkJob; readonly onClose: () => void }) => {
  if (job.action === 'enroll' && job.campaign_id)
    return <CampaignLink id={job.campaign_id} onClose={onClose} />;
  const tag = job.to ?? job.add[0];
  const search = tag ? { tag } : job.filter && listSearch(job.filter);
  if (!search || job.action === 'delete' || (job.action === 'tag' && !tag)) return null;
  return (
    <Link to="/contacts" search={search} className={linkClass} onClick={onClose}>
      {t('Show contacts')}
    </Link>
  );
};

const CampaignLink = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const { data } = useQuery(apiQuery('/campaigns/{id}', { params: { id } }));
  return (
    <Link to="/campaigns/$id" params={{ id }} className={linkClass} onClick={onClose}>
      {data?.data.name ?? t('Campaign')}
    </Link>
  );
};
