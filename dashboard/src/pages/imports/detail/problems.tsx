import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { apiUrl } from '../../../api/client.ts';
import { apiQuery } from '../../../api/query.ts';
import type { Import, ImportOptions, ImportReason } from '../../../api/types.gen.ts';
import { numberText, plural, t } from '../../../lib/i18n.ts';
import { problemText, type Reason, reasonLabels } from '../../../records/imports/labels.ts';
import { Button } from '../../../ui/button.tsx';
import { countryName } from '../../../ui/country-select.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Section } from '../../../ui/page.tsx';
import { rich } from '../../../ui/rich.tsx';
import { ErrorText } from '../error-text.tsx';
import { Remedy } from './remedy.tsx';
import { type PlanChange, useReplan } from './use-replan.ts';

/** How many skipped columns are named. */
const NAMED_COLUMNS = 4;

/** What to do about the rows of a reason. */
const hintOf = (
  { reason, rejected }: ImportReason,
  { country, on_duplicate }: ImportOptions,
  isPlanned: boolean,
) => {
  if (!isPlanned) {
    if (reason === 'duplicate_in_file' && on_duplicate === 'fill')
      return t('These rows were merged into the first row with the same number.');
    return rejected ? t('These rows were skipped.') : t('These rows were imported without the invalid cell.');
  }
  if (!rejected) return t('These rows are imported without the invalid cell.');
  return reason === 'country_mismatch' && country
    ? t("These numbers don't fit the chosen country, {country}. Choose another one, or correct the rows.", {
        country: countryName(country),
      })
    : reasonLabels[reason].hint;
};

const ReasonItem = ({
  data,
  reason,
  isShown,
  onShow,
  children,
}: {
  readonly data: Import;
  readonly reason: ImportReason;
  readonly isShown: boolean;
  readonly onShow: (reason: Reason | undefined) => void;
  readonly children: React.ReactNode;
}) => {
  const { label } = reasonLabels[reason.reason];
  const first = t('Line {line}: {message}', {
    line: String(reason.line),
    message: problemText(reason.field, reason.message),
  });
  return (
    <li className="grid gap-x-5 gap-y-2 border-b border-line py-3 last:border-b-0 last:pb-0 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-start">
      <div className="min-w-0">
        <p className="text-sm font-medium">
          <span className="figure">{numberText(reason.count)} ×</span> {label}
        </p>
        <p className="text-[0.8125rem] text-muted">
          {hintOf(reason, data.options, data.state === 'planned')}
        </p>
        <p dir="auto" className="truncate text-[0.8125rem] text-muted" title={first}>
          {first}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2 lg:max-w-lg lg:justify-end">
        {children}
        <span className="flex items-center gap-1">
          <Button
            size="small"
            variant="quiet"
            aria-pressed={isShown}
            aria-label={t('Show rows: {reason}', { reason: label })}
            onClick={() => onShow(isShown ? undefined : reason.reason)}
          >
            {isShown ? t('Show all rows') : t('Show rows')}
          </Button>
          <Button size="small" variant="quiet" asChild>
            <a
              href={apiUrl('/imports/{id}/report.csv', { id: data.id }, { reason: reason.reason })}
              download
              aria-label={t('Download rows: {reason}', { reason: label })}
            >
              <Download aria-hidden />
            </a>
          </Button>
        </span>
      </div>
    </li>
  );
};

/** Lines of the file that may be read in another way. */
const Suggestions = ({
  data,
  header,
  busy,
  onReplan,
  onColumns,
}: {
  readonly data: Import;
  readonly header: { readonly line: number; readonly names: readonly string[] } | null;
  readonly busy: boolean;
  readonly onReplan: (change: PlanChange) => void;
  readonly onColumns: () => void;
}) => {
  const navigate = useNavigate();
  const { file } = data;
  const skipped = data.columns.filter(({ field, samples }) => field === null && samples.length > 0);
  const names = skipped.slice(0, NAMED_COLUMNS).map(({ name }) => t('“{text}”', { text: name }));
  return (
    <>
      {header && (
        <Notice
          tone="warn"
          action={
            <Button size="small" busy={busy} onClick={() => onReplan({ header_row: header.line })}>
              {t('Use line {line} as header', { line: String(header.line) })}
            </Button>
          }
        >
          {rich('Line {line} looks like the header row: {names}', {
            line: header.line,
            names: <bdi>{header.names.filter(Boolean).join(', ')}</bdi>,
          })}
        </Notice>
      )}
      {file && file.sheet === null && file.encoding_source === 'guessed' && (
        <Notice
          tone="warn"
          action={
            <Button size="small" onClick={() => void navigate({ to: '/import', search: { again: data.id } })}>
              {t('Choose encoding')}
            </Button>
          }
        >
          {t('The encoding of this file was guessed. If names look wrong, choose another encoding.')}
        </Notice>
      )}
      {skipped.length > 0 && (
        <Notice
          action={
            <Button size="small" onClick={onColumns}>
              {t('Choose columns')}
            </Button>
          }
        >
          {plural(skipped.length, '# column with values is skipped:', '# columns with values are skipped:')}{' '}
          <bdi>
            {names.join(', ')}
            {skipped.length > names.length && ' …'}
          </bdi>
        </Notice>
      )}
    </>
  );
};

/** The rules before a remedy, and what they led to. */
export interface Previous {
  readonly change: PlanChange;
  readonly invalid: number;
}

/** Why rows are rejected or incomplete, with a remedy for each reason. */
export const Problems = ({
  data,
  shown,
  previous,
  onPrevious,
  onShow,
  onColumns,
}: {
  readonly data: Import;
  /** The reason whose rows are listed. */
  readonly shown: Reason | undefined;
  /** Kept by the page, because this is not shown while the file is planned again. */
  readonly previous: Previous | undefined;
  readonly onPrevious: (previous: Previous | undefined) => void;
  readonly onShow: (reason: Reason | undefined) => void;
  readonly onColumns: () => void;
}) => {
  const params = { id: data.id };
  const found = useQuery(apiQuery('/imports/{id}/reasons', { params })).data?.data;
  const rules = data.options;
  const replan = useReplan(data.id, () => onShow(undefined));
  const isPlanned = data.state === 'planned';
  /** A failed change keeps what can be taken back. */
  const change = (next: PlanChange, before?: Previous) => {
    onPrevious(before);
    replan.mutate(next, { onError: () => onPrevious(previous) });
  };
  const remedy = (next: PlanChange) => {
    const names = Object.keys(next) as (keyof ImportOptions)[];
    const back = Object.fromEntries(names.map((name) => [name, rules[name] ?? null])) as PlanChange;
    change(next, { change: back, invalid: data.totals.invalid ?? 0 });
  };
  if (!found) return null;
  const { reasons, header_row } = found;
  const invalid = data.totals.invalid ?? 0;
  return (
    <div className="flex flex-col gap-3 *:last:mb-5">
      {isPlanned && (
        <Suggestions
          data={data}
          header={header_row}
          busy={replan.isPending}
          onReplan={change}
          onColumns={onColumns}
        />
      )}
      {isPlanned && previous && !replan.isPending && (
        <Notice
          tone={invalid > previous.invalid ? 'warn' : 'good'}
          action={
            <Button size="small" onClick={() => change(previous.change)}>
              {t('Change back')}
            </Button>
          }
        >
          {invalid === previous.invalid
            ? t('The preview is updated.')
            : t('Invalid rows: {before} before, {after} now.', { before: previous.invalid, after: invalid })}
        </Notice>
      )}
      {replan.isError && (
        <Notice tone="danger">
          <ErrorText error={replan.error} />
        </Notice>
      )}
      {reasons.length > 0 && (
        <Section
          title={t('Problems')}
          description={
            isPlanned
              ? t('Choose a remedy, and the preview is updated. No contacts change.')
              : t('Why rows were skipped or imported without a cell.')
          }
          actions={
            invalid > 0 && (
              <Button size="small" asChild>
                <a href={apiUrl('/imports/{id}/report.csv', params, { verdict: 'invalid' })} download>
                  <Download aria-hidden />
                  {t('Download invalid rows')}
                </a>
              </Button>
            )
          }
        >
          <ul aria-label={t('Problems')}>
            {reasons.map((reason) => (
              <ReasonItem
                key={reason.reason}
                data={data}
                reason={reason}
                isShown={shown === reason.reason}
                onShow={onShow}
              >
                {isPlanned && (
                  <Remedy
                    reason={reason}
                    rules={rules}
                    busy={replan.isPending}
                    onReplan={remedy}
                    onColumns={onColumns}
                  />
                )}
              </ReasonItem>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
};
