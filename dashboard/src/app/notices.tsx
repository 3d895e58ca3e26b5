import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  BellOff,
  CircleCheck,
  FileUp,
  KeyRound,
  ListChecks,
  Megaphone,
  TriangleAlert,
  Webhook,
} from 'lucide-react';
import { errorMessage } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { queryClient } from '../api/query.ts';
import type { Notice as NoticeData } from '../api/types.gen.ts';
import { exactTime } from '../lib/format.ts';
import { plural, t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { EmptyState, ErrorState, Skeleton } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { noticesQuery } from './notices-button.tsx';

const icons = {
  'import.applied': FileUp,
  'import.undone': FileUp,
  'import.failed': TriangleAlert,
  'campaign.finished': Megaphone,
  'job.finished': ListChecks,
  'job.canceled': ListChecks,
  'job.failed': TriangleAlert,
  'key.expiring': KeyRound,
  'webhook.disabled': Webhook,
} as const;

/** The names of the actions of bulk jobs. */
const jobNames: Readonly<Record<string, string>> = {
  tag: t('Tag contacts'),
  rename_tag: t('Rename a tag'),
  set_fields: t('Set fields of contacts'),
  delete: t('Delete contacts'),
  enroll: t('Enroll contacts'),
  undo: t('Undo changes of contacts'),
};

const titleOf = ({ kind, name: given, detail }: NoticeData): string => {
  const name = /^job\./.test(kind) ? (jobNames[given] ?? given) : given;
  switch (kind) {
    case 'import.applied':
      return t('Import of {name} finished', { name });
    case 'import.undone':
      return t('Import of {name} undone', { name });
    case 'import.failed':
      return t('Import of {name} failed. Roster retries it automatically.', { name });
    case 'campaign.finished':
      return t('Campaign {name} finished', { name });
    case 'job.finished':
      return t('{name}: finished', { name });
    case 'job.canceled':
      return t('{name}: canceled', { name });
    case 'job.failed':
      return t('{name}: failed', { name });
    case 'key.expiring':
      return t('API key {name} expires on {date}', { name, date: exactTime(detail ?? '') });
    case 'webhook.disabled':
      return t('Webhook endpoint {name} was disabled', { name });
    default:
      return name;
  }
};

/** What was counted, by the names that imports, enrollments and jobs use. */
const countTexts: Record<string, (count: number) => string> = {
  created: (count) => plural(count, '# created', '# created'),
  updated: (count) => plural(count, '# updated', '# updated'),
  none: (count) => plural(count, '# unchanged', '# unchanged'),
  removed: (count) => plural(count, '# removed', '# removed'),
  restored: (count) => plural(count, '# restored', '# restored'),
  edited_since: (count) => plural(count, '# skipped (edited since)', '# skipped (edited since)'),
  pending: (count) => plural(count, '# pending', '# pending'),
  completed: (count) => plural(count, '# completed', '# completed'),
  failed: (count) => plural(count, '# failed', '# failed'),
  blocked: (count) => plural(count, '# blocked', '# blocked'),
  done: (count) => plural(count, '# done', '# done'),
  changed: (count) => plural(count, '# changed', '# changed'),
  deleted: (count) => plural(count, '# deleted', '# deleted'),
  enrolled: (count) => plural(count, '# enrolled', '# enrolled'),
  unenrolled: (count) => plural(count, '# removed from the campaign', '# removed from the campaign'),
  still_enrolled: (count) => plural(count, '# still enrolled', '# still enrolled'),
  skipped: (count) => plural(count, '# skipped', '# skipped'),
};

const countsOf = ({ counts }: NoticeData): string =>
  Object.entries(counts ?? {})
    .flatMap(([name, count]) => countTexts[name]?.(count) ?? [])
    .join(' · ');

const targetOf = ({ kind, subject }: NoticeData): string => {
  if (/^import\./.test(kind)) return `/import/${subject}`;
  if (kind === 'campaign.finished') return `/campaigns/${subject}`;
  if (kind === 'webhook.disabled') return `/webhooks/${subject}`;
  if (kind === 'key.expiring') return '/settings?tab=keys';
  return '/contacts';
};

const Row = ({ notice, onClose }: { readonly notice: NoticeData; readonly onClose: () => void }) => {
  const Icon = icons[notice.kind] ?? CircleCheck;
  const counts = countsOf(notice);
  return (
    <li>
      <Link
        to={targetOf(notice)}
        onClick={onClose}
        className="flex items-start gap-3 rounded-lg px-2 py-2.5 hover:bg-sunken"
      >
        <Icon className="mt-0.5 size-4.5 shrink-0 text-muted" aria-hidden />
        <span className="min-w-0 flex-1 text-sm">
          <span dir="auto" className={cx('block wrap-anywhere', !notice.read && 'font-semibold')}>
            {titleOf(notice)}
          </span>
          {counts && <span className="block text-[0.8125rem] text-muted">{counts}</span>}
          {(notice.kind === 'webhook.disabled' || notice.kind === 'job.failed') && notice.detail && (
            <span className="block text-[0.8125rem] text-muted">{notice.detail}</span>
          )}
          <Time at={notice.at} className="block text-[0.8125rem] text-muted" />
        </span>
        {!notice.read && (
          <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent">
            <span className="sr-only">{t('Unread')}</span>
          </span>
        )}
      </Link>
    </li>
  );
};

/** The notices of the user, newest first. */
const Notices = ({ onClose }: { readonly onClose: () => void }) => {
  const query = useQuery(noticesQuery);
  const { unread = 0, notices } = query.data?.data ?? {};
  const first = notices?.[0];
  const read = useMutation({
    mutationFn: (until: string) => call('PUT', '/notices/read', { body: { until } }),
    onSuccess: (answer) => queryClient.setQueryData(noticesQuery.queryKey, answer),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Notices')}
      width="small"
      footer={
        <>
          {unread > 0 && first && (
            <Button busy={read.isPending} onClick={() => read.mutate(first.id)}>
              {t('Mark all as read')}
            </Button>
          )}
          <Button variant="primary" onClick={onClose}>
            {t('Close')}
          </Button>
        </>
      }
    >
      {read.isError && <Notice tone="danger">{errorMessage(read.error)}</Notice>}
      {query.isError && !notices ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : !notices ? (
        <Skeleton className="h-40 w-full" />
      ) : notices.length === 0 ? (
        <EmptyState icon={<BellOff />} title={t('No notices')}>
          {t('Finished imports, campaigns and bulk changes appear here for 30 days.')}
        </EmptyState>
      ) : (
        <ul className="-mx-2 flex flex-col">
          {notices.map((notice) => (
            <Row key={notice.id} notice={notice} onClose={onClose} />
          ))}
        </ul>
      )}
    </Dialog>
  );
};

export default Notices;
