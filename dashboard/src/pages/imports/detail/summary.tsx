import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { Import } from '../../../api/types.gen.ts';
import { useBulkJobs } from '../../../app/bulk-jobs/jobs-query.ts';
import { isRunning as isJobRunning, jobTitle } from '../../../app/bulk-jobs/labels.ts';
import { minuteTime } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import {
  countsText,
  duplicateLabels,
  encodingSources,
  existingLabels,
  fieldLabel,
  formatText,
  hasChanges,
  importStateLabel,
  invalidLabels,
  tagLabels,
  totalsText,
} from '../../../records/imports/labels.ts';
import { Button } from '../../../ui/button.tsx';
import { countryName } from '../../../ui/country-select.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProgressBar } from '../../../ui/progress.tsx';
import { rich } from '../../../ui/rich.tsx';
import { Time } from '../../../ui/time.tsx';
import { CampaignName } from '../campaign.tsx';
import { isRunning } from '../use-import.ts';

const NAMED_JOBS = 3;

/** The other imports and jobs of the workspace that run now. They take turns with an import, so none waits for the end of another. */
const useOtherWork = (id: string): readonly string[] => {
  const imports = useQuery(apiQuery('/imports')).data?.data ?? [];
  const running = imports.filter((each) => each.id !== id && isRunning(each.state));
  return [
    ...running.map((each) =>
      t('“{name}” ({state})', { name: each.name, state: importStateLabel(each).label }),
    ),
    ...(useBulkJobs() ?? []).filter(isJobRunning).map(jobTitle),
  ];
};

/** The progress of a running import. The number of rows is unknown until the file was read. */
export const ImportProgress = ({ data }: { readonly data: Import }) => {
  const { state, progress, rows } = data;
  const isPlan = state === 'planning';
  const others = useOtherWork(data.id);
  const named = others.slice(0, NAMED_JOBS);
  return (
    <div className="card mb-5 flex flex-col gap-2 p-4 sm:p-5">
      {isPlan ? (
        <ProgressBar
          label={t('Processing rows')}
          detail={plural(rows, '# row so far', '# rows so far')}
          max={rows}
        />
      ) : (
        <ProgressBar
          label={state === 'applying' ? t('Applying changes') : t('Undoing changes')}
          value={Math.min(progress, rows)}
          max={rows}
        />
      )}
      <p className="text-sm text-muted">
        {!isPlan && `${totalsText(data)}. `}
        {named.length > 0 &&
          `${t('Takes turns with other work in progress: {jobs}.', {
            jobs: [...named, ...(others.length > named.length ? ['…'] : [])].join(', '),
          })} `}
        {t('This continues in the background. You can leave this page.')}
      </p>
    </div>
  );
};

const nothing = t('nothing changed');

const hasContacts = ({ created = 0, updated = 0 }: Import['totals']): boolean => created + updated > 0;

/** The result of an import that is not running. */
export const Outcome = ({
  data,
  onShowSkipped,
}: {
  readonly data: Import;
  readonly onShowSkipped: () => void;
}) => {
  const { id, state, totals, applied_at, undo_until } = data;
  const skipped = totals.edited_since ?? 0;
  if (state === 'planned')
    return !hasChanges(data) ? (
      <Notice tone="warn">
        {t(
          'Nothing to apply: no row would create, update or enroll a contact. Change the columns or rules, or fix the file.',
        )}
      </Notice>
    ) : null;
  if (state === 'applied')
    return (
      <Notice
        tone="good"
        action={
          hasContacts(totals) && (
            <Link to="/contacts" search={{ import: id }} className="shrink-0 rounded font-medium underline">
              {t('Show contacts')}
            </Link>
          )
        }
      >
        {rich('Applied {time}: {counts}.', {
          time: applied_at && <Time at={applied_at} />,
          counts: countsText(data) ?? nothing,
        })}
        {undo_until !== null && ` ${t('You can undo it until {time}.', { time: minuteTime(undo_until) })}`}
      </Notice>
    );
  if (state !== 'undone') return null;
  const counts = countsText({ state, totals: { ...totals, edited_since: 0 } }) ?? nothing;
  return skipped > 0 ? (
    <Notice
      tone="warn"
      action={
        <Button size="small" onClick={onShowSkipped}>
          {t('Show rows')}
        </Button>
      }
    >
      {t('Undone: {counts}.', { counts })}{' '}
      {plural(
        skipped,
        '# contact was changed, claimed or deleted after the import, so the undo skipped it.',
        '# contacts were changed, claimed or deleted after the import, so the undo skipped them.',
      )}
    </Notice>
  ) : (
    <Notice tone="good">{t('Undone: {counts}.', { counts })}</Notice>
  );
};

const Line = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-[0.8125rem] text-muted">{name}</dt>
    <dd className="text-sm wrap-anywhere">{children}</dd>
  </div>
);

/** The columns and rules of the preview. */
export const ImportSettings = ({
  data: { columns, options, file, state },
  onFormat,
}: {
  readonly data: Import;
  /** Reads the file again, in another encoding or with another header row. */
  readonly onFormat: () => void;
}) => {
  const used = columns.filter(({ field }) => field !== null);
  const out = columns.length - used.length;
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
      <Line name={t('Columns')}>
        {used
          .map(({ name, field, creates }) => {
            const crm = field === 'crm_ids' && options.crm ? ` (${options.crm})` : '';
            return `${name} → ${creates?.label ?? fieldLabel(field ?? '')}${crm}`;
          })
          .join(', ')}
        {out > 0 && (
          <span className="text-muted">; {plural(out, '# column skipped', '# columns skipped')}</span>
        )}
      </Line>
      <Line name={t('Default country for local numbers')}>
        {options.country ? countryName(options.country) : t('None')}
      </Line>
      {options.campaign_id !== null && (
        <Line name={t('Enroll in campaign')}>
          <CampaignName id={options.campaign_id} />
        </Line>
      )}
      <Line name={t('If the contact already exists')}>{existingLabels[options.on_existing]}</Line>
      {file && (
        <Line name={t('File')}>
          {formatText(file)}
          {file.sheet === null &&
            `; ${t('encoding {source}', { source: encodingSources[file.encoding_source] })}`}
          {state === 'planned' && (
            <div>
              <button type="button" className="text-start text-accent-ink underline" onClick={onFormat}>
                {file.sheet === null ? t('Change encoding or header row') : t('Change sheet or header row')}
              </button>
            </div>
          )}
        </Line>
      )}
      <Line name={t('If an optional cell is invalid')}>
        {invalidLabels[options.on_invalid]}
        {options.on_invalid_email && options.on_invalid_email !== options.on_invalid && (
          <>
            ;{' '}
            {options.on_invalid_email === 'omit_field'
              ? t('invalid emails are skipped')
              : t('rows with an invalid email are skipped')}
          </>
        )}
      </Line>
      <Line name={t('If several rows have the same number')}>{duplicateLabels[options.on_duplicate]}</Line>
      <Line name={t('Tags and numbers')}>
        {options.on_existing === 'skip' ? t('Tags unchanged') : tagLabels[options.tags]}
        {options.legacy && `; ${t('legacy migration')}`}
      </Line>
    </dl>
  );
};
