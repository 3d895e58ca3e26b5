import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChevronRight, ChevronsLeft, SearchX, Send } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Select } from '../../../ui/field.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { DataTable } from '../../../ui/table.tsx';
import { resultLabels } from '../labels.tsx';
import { columns } from './attempt-columns.tsx';
import { results, type WebhookSearch } from './url-params.ts';

const route = getRouteApi('/app/webhooks/$id');
const PAGE_SIZE = 25;

/** The attempts to deliver events to an endpoint, newest first. */
export const Attempts = ({ id }: { readonly id: string }) => {
  const { result, before } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery({
    ...apiQuery('/webhooks/{id}/attempts', { params: { id }, query: { result, before, limit: PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });
  const attempts = list.data?.data.attempts;
  const filter = (next: WebhookSearch['result']) =>
    void navigate({
      search: (now) => ({ ...now, result: next, before: undefined }),
      replace: true,
      resetScroll: false,
    });
  const showBefore = (next: number | undefined) =>
    void navigate({ search: (now) => ({ ...now, before: next }), resetScroll: false });
  return (
    <>
      <search aria-label={t('Attempts')} className="mb-3 flex flex-wrap gap-2">
        <Select
          label={t('Result')}
          hideLabel
          className={cx('flex-1 basis-40 sm:max-w-56', result && '[&_select]:border-accent')}
          placeholder={t('All results')}
          options={results.map((value) => ({ value, label: resultLabels[value] }))}
          value={result ?? ''}
          onChange={({ target }) => filter((target.value || undefined) as WebhookSearch['result'])}
        />
      </search>
      <DataTable
        label={t('Attempts')}
        columns={columns}
        rows={attempts}
        rowId={({ number }) => String(number)}
        error={list.error}
        onRetry={() => void list.refetch()}
        stale={list.isPlaceholderData}
        empty={
          result || before ? (
            <EmptyState
              icon={<SearchX />}
              title={t('No matching attempts')}
              action={
                <Button onClick={() => void navigate({ search: { tab: 'attempts' }, replace: true })}>
                  {t('Show all attempts')}
                </Button>
              }
            />
          ) : (
            <EmptyState icon={<Send />} title={t('No attempts yet')}>
              {t('Every request to this endpoint is listed here, with its response.')}
            </EmptyState>
          )
        }
      />
      {attempts && (before || list.data?.data.has_more) && (
        <nav aria-label={t('Pages')} className="mt-3 flex justify-end gap-2">
          <Button size="small" disabled={!before} onClick={() => showBefore(undefined)}>
            <ChevronsLeft aria-hidden />
            {t('Newest')}
          </Button>
          <Button
            size="small"
            disabled={!list.data?.data.has_more}
            onClick={() => showBefore(attempts.at(-1)?.number)}
          >
            {t('Older')}
            <ChevronRight aria-hidden />
          </Button>
        </nav>
      )}
    </>
  );
};
