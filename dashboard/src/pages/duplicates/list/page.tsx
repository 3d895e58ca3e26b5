import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { UsersRound } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { loadChunk } from '../../../api/load-chunk.ts';
import type { Duplicate, DuplicateList } from '../../../api/types.gen.ts';
import { LazyDialog } from '../../../app/lazy-dialog.tsx';
import { useListKeys } from '../../../app/list-keys.ts';
import { useShortcut } from '../../../app/shortcuts.ts';
import { contactName } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/field.tsx';
import { Page } from '../../../ui/page.tsx';
import { NameOrPhone } from '../../../ui/phone.tsx';
import { ProgressBar } from '../../../ui/progress.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useUndo } from '../../../ui/toast.tsx';
import { reasonLabels, strengthLabels } from '../labels.ts';
import { groupsQuery } from './query.ts';
import { type DuplicatesSearch, parseDuplicatesSearch } from './url-params.ts';

const route = getRouteApi('/app/duplicates');
const GroupPage = lazy(() => loadChunk(() => import('./group.tsx')));
const loadBulk = () => import('./bulk-merge.tsx');
const MAX_NAMED = 3;

const columns: readonly Column<Duplicate>[] = [
  {
    id: 'contacts',
    header: t('Contacts'),
    phone: 'title',
    cell: ({ id, contacts }) => (
      <RowLink to="/duplicates" search={(now: object): DuplicatesSearch => ({ ...now, group: id })}>
        {contacts.slice(0, MAX_NAMED).map((contact, index) => (
          <span key={contact.id}>
            {index > 0 && ', '}
            <bdi>
              <NameOrPhone text={contactName(contact)} />
            </bdi>
          </span>
        ))}
        {contacts.length > MAX_NAMED && ` ${plural(contacts.length - MAX_NAMED, 'and # more', 'and # more')}`}
      </RowLink>
    ),
  },
  { id: 'reason', header: t('In common'), cell: ({ reason }) => reasonLabels[reason] },
  {
    id: 'strength',
    header: t('Same person'),
    cell: ({ strength }) => (
      <Badge tone={strengthLabels[strength].tone}>{strengthLabels[strength].label}</Badge>
    ),
  },
  {
    id: 'found',
    header: t('Found'),
    align: 'end',
    hideBelow: 'medium',
    className: 'whitespace-nowrap text-muted',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];

export const DuplicatesPage = () => {
  const search = route.useSearch();
  const undo = useUndo();
  useShortcut('Ctrl z', undo && t('Undo last change'), () => undo?.(), {
    applies: () => !document.querySelector('[role=dialog], select:focus'),
  });
  if (!search.group) return <Inbox />;
  return (
    <Suspense>
      <GroupPage key={search.group} id={search.group} />
    </Suspense>
  );
};

const Progress = ({ list: { status, progress } }: { readonly list: DuplicateList }) =>
  status === 'building' ? (
    <div className="card mb-4 p-4">
      <ProgressBar
        label={t('Comparing all contacts. Groups appear as they are found.')}
        value={Math.floor(progress * 100)}
        max={100}
        detail={`${Math.floor(progress * 100)} %`}
      />
    </div>
  ) : (
    <p role="status" className="mb-2 min-h-5 text-[0.8125rem] text-muted">
      {status === 'updating' && t('The latest changes are being compared…')}
    </p>
  );

const Inbox = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isBulk, setBulk] = useState(false);
  const list = useInfiniteQuery(groupsQuery(search));
  useListKeys();
  const first = list.data?.pages[0]?.data;
  const groups = list.data?.pages.flatMap(({ data }) => data.duplicates);
  const filter = (change: DuplicatesSearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true });
  const isFiltered = search.reason !== undefined || search.dismissed;
  return (
    <Page
      title={t('Duplicates')}
      description={t('Contacts that are likely the same person.')}
      actions={
        <Button
          disabled={!groups?.some(({ strength }) => strength === 'strong') || search.dismissed}
          onClick={() => setBulk(true)}
        >
          {t('Merge clear cases…')}
        </Button>
      }
    >
      <div className="mb-3 flex flex-wrap gap-3">
        <Select
          label={t('In common')}
          hideLabel
          placeholder={t('All reasons')}
          options={Object.entries(reasonLabels).map(([value, label]) => ({ value, label }))}
          value={search.reason ?? ''}
          onChange={({ target }) =>
            filter({ reason: parseDuplicatesSearch({ reason: target.value }).reason })
          }
        />
        <Select
          label={t('Status')}
          hideLabel
          options={[
            { value: '', label: t('To review') },
            { value: 'true', label: t('Not the same person') },
          ]}
          value={search.dismissed ? 'true' : ''}
          onChange={({ target }) => filter({ dismissed: target.value === 'true' || undefined })}
        />
      </div>
      {first && <Progress list={first} />}
      <DataTable
        label={t('Duplicates')}
        columns={columns}
        rows={groups}
        rowId={({ id }) => id}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty={
          <EmptyState
            icon={<UsersRound />}
            title={isFiltered ? t('No matching groups') : t('No likely duplicates')}
            action={
              isFiltered && (
                <Button onClick={() => filter({ reason: undefined, dismissed: undefined })}>
                  {t('Show all groups')}
                </Button>
              )
            }
          >
            {first?.status === 'building'
              ? t('All contacts are being compared.')
              : t(
                  'New ones appear here when contacts have a number, an email, a CRM ID or a name in common.',
                )}
          </EmptyState>
        }
      />
      {list.hasNextPage && (
        <Button className="mt-4" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('Show more groups')}
        </Button>
      )}
      {isBulk && (
        <LazyDialog
          title={t('Merge clear cases')}
          load={loadBulk}
          props={{ reason: search.reason, onClose: () => setBulk(false) }}
        />
      )}
    </Page>
  );
};
