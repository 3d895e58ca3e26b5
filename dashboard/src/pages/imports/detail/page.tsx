import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Check, Download, Ellipsis, SlidersHorizontal, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { apiUrl } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Import } from '../../../api/types.gen.ts';
import { AuditLogLink } from '../../../app/audit-log-link.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { hasChanges, importStateLabel } from '../../../records/imports/labels.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Page, Section } from '../../../ui/page.tsx';
import { rich } from '../../../ui/rich.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import { CreatedBy } from '../created-by.tsx';
import type { ImportSearch } from '../url-params.ts';
import { isRunning, useImport } from '../use-import.ts';
import { ConfirmAction, type ImportAction } from './confirm.tsx';
import { EditPlan } from './lazy-dialogs.tsx';
import { type Previous, Problems } from './problems.tsx';
import { RowFilters } from './row-filters.tsx';
import { Rows } from './rows.tsx';
import { ImportProgress, ImportSettings, Outcome } from './summary.tsx';

const route = getRouteApi('/app/import/$id');
/** Hides the icons on phones, so that all actions fit in one line. */
const HIDE_ICON_ON_PHONE = 'max-sm:[&_svg]:hidden';
const back = { to: '/import', label: t('Imports') };

export const ImportPage = () => {
  const { id } = route.useParams();
  const query = useImport(id);
  if (query.data) return <ImportRecord key={id} data={query.data.data} />;
  return (
    <Page title={t('Import')} back={back}>
      <div className="card">
        {query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div className="flex flex-col gap-3 p-5" role="status" aria-label={t('Loading')}>
            <Skeleton className="h-5 w-1/3" />
            <Skeleton className="h-4 w-2/3" />
          </div>
        )}
      </div>
    </Page>
  );
};

const ImportRecord = ({ data }: { readonly data: Import }) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const navigateAway = useNavigate();
  const [action, setAction] = useState<ImportAction>();
  const [previous, setPrevious] = useState<Previous>();
  const show = (change: ImportSearch) =>
    void navigate({ search: change, replace: true, ignoreBlocker: true });
  const setChange = (change: true | undefined) =>
    void navigate({ search: (now) => ({ ...now, change }), replace: !change, ignoreBlocker: !change });
  const { state } = data;
  const isPlanned = state === 'planned';
  return (
    <Page
      title={data.name}
      heading={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 wrap-anywhere">{data.name}</span>
          <Badge tone={importStateLabel(data).tone} dot>
            {importStateLabel(data).label}
          </Badge>
        </span>
      }
      description={
        <>
          {plural(data.rows, '# row', '# rows')},{' '}
          {rich('uploaded {time} by {user}', {
            time: <Time at={data.created_at} />,
            user: <CreatedBy id={data.created_by} inSentence />,
          })}
        </>
      }
      back={back}
      actions={
        <>
          <AuditLogLink record={data.id} />
          {!isRunning(state) && <Actions data={data} onAction={setAction} onChange={() => setChange(true)} />}
        </>
      }
    >
      <div role="status" className="mb-5 empty:hidden">
        {!isRunning(state) && <Outcome data={data} onShowSkipped={() => show({ effect: 'edited_since' })} />}
      </div>
      {isRunning(state) && <ImportProgress data={data} />}
      {state !== 'planning' && (
        <>
          <Problems
            data={data}
            shown={search.reason}
            previous={previous}
            onPrevious={setPrevious}
            onShow={(reason) => show({ reason })}
            onColumns={() => setChange(true)}
          />
          <RowFilters data={data} search={search} onShow={show} />
          <Rows
            data={data}
            search={search}
            onPage={(page) => void navigate({ search: (now) => ({ ...now, page }) })}
            onAll={() => show({})}
          />
          <div className="h-6" />
        </>
      )}
      <Section title={t('Columns and rules')}>
        <ImportSettings
          data={data}
          onFormat={() => void navigateAway({ to: '/import', search: { again: data.id } })}
        />
      </Section>
      {search.change && isPlanned && (
        <EditPlan
          data={data}
          onClose={() => setChange(undefined)}
          onPlanned={() => {
            setPrevious(undefined);
            show({});
          }}
        />
      )}
      {action && (
        <ConfirmAction
          data={data}
          action={action}
          onClose={() => setAction(undefined)}
          onStarted={() => show({})}
          onDeleted={() => {
            void invalidate('/imports', '/figures');
            toast.good(t('{name} deleted.', { name: data.name }));
            void navigateAway({ to: '/import' });
          }}
        />
      )}
    </Page>
  );
};

const Actions = ({
  data,
  onAction,
  onChange,
}: {
  readonly data: Import;
  readonly onAction: (action: ImportAction) => void;
  readonly onChange: () => void;
}) => {
  const { id, state, totals, undo_until } = data;
  const canApply = state === 'planned' && hasChanges(data);
  const canUndo = state === 'applied' && undo_until !== null && Date.parse(undo_until) > Date.now();
  const hasEffects = (totals.created ?? 0) + (totals.updated ?? 0) > 0;
  return (
    <>
      {state === 'planned' && (
        <Button onClick={onChange} className={HIDE_ICON_ON_PHONE}>
          <SlidersHorizontal aria-hidden />
          {t('Edit')}
        </Button>
      )}
      <Button asChild className={HIDE_ICON_ON_PHONE}>
        <a href={apiUrl('/imports/{id}/report.csv', { id })} download>
          <Download aria-hidden />
          {t('Report')}
        </a>
      </Button>
      {canUndo && hasEffects && (
        <Button onClick={() => onAction('undo')}>
          <Undo2 aria-hidden />
          {t('Undo')}
        </Button>
      )}
      {canApply && (
        <Button variant="primary" onClick={() => onAction('apply')}>
          <Check aria-hidden />
          {t('Apply')}
        </Button>
      )}
      <Menu
        trigger={<IconButton label={t('More actions')} icon={<Ellipsis aria-hidden />} />}
        items={[
          {
            label: t('Delete import…'),
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => onAction('delete'),
          },
        ]}
      />
    </>
  );
};
