import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { MergedField } from '../../api/types.gen.ts';
import { useShortcut } from '../../app/shortcuts.ts';
import { browserTimeZone, useTimeZone } from '../../app/time-zone.ts';
import { EMPTY } from '../../lib/format.ts';
import { plural, t, translatedMessage } from '../../lib/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { KeyHint } from '../../ui/keyboard.tsx';
import { Notice } from '../../ui/notice.tsx';
import { NameOrPhone, Phone } from '../../ui/phone.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { valueText } from '../changes/values.ts';
import { fieldsQuery, useFieldLabels } from '../fields/query.ts';
import { MAX_MERGED } from './max-merged.ts';
import { mergedFieldLabel, movesText } from './plan-values.ts';
import type { Comparison } from './use-comparison.ts';

/** The columns of all rows: three fit on a wide page, and more are scrolled to. */
const columnsOf = (count: number) => ({
  '--columns': `8rem repeat(${count}, minmax(max(13rem, calc((100cqi - 11rem) / 3)), 1fr))`,
});
const row = 'grid gap-x-3 gap-y-1 py-2.5 sm:grid-cols-(--columns) sm:items-start';

const Choice = ({
  name,
  label,
  isChosen,
  isLost = true,
  onChoose,
  children,
}: {
  readonly name: string;
  /** Whose value it is, for screen readers and phones. */
  readonly label: string;
  readonly isChosen: boolean;
  /** Whether the value is lost if it is not chosen. */
  readonly isLost?: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}) => (
  <label
    className={cx(
      'flex min-w-0 cursor-pointer items-start gap-2 rounded-lg px-2 py-1.5 max-sm:min-h-10',
      isChosen
        ? 'bg-accent-soft text-accent-ink'
        : isLost
          ? 'bg-warn-soft text-warn-ink hover:bg-sunken hover:text-ink'
          : 'bg-sunken',
    )}
  >
    <input
      type="radio"
      name={name}
      checked={isChosen}
      onChange={onChoose}
      className="mt-0.5 size-4 shrink-0 accent-(--color-accent)"
    />
    <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">
      {children}
      <span className="block text-xs sm:sr-only">
        <bdi>{label}</bdi>
      </span>
    </span>
  </label>
);

const FieldRow = ({
  field,
  comparison,
}: {
  readonly field: MergedField;
  readonly comparison: Comparison;
}) => {
  const group = useId();
  const labels = useFieldLabels();
  const fields = useQuery(fieldsQuery).data?.data ?? [];
  const zone = useTimeZone() ?? browserTimeZone();
  const { shown, names, choices, choose } = comparison;
  const label = mergedFieldLabel(field.field, labels);
  const own = new Map(field.values.map(({ contact_id, value }) => [contact_id, value]));
  const isNumber = field.field === 'phone_number';
  const textOf = (value: unknown) =>
    isNumber ? <Phone number={String(value)} /> : valueText(field.field, value, { fields, zone });
  const chosen = choices[field.field] ?? field.contact_id;
  const chosenId = shown.includes(chosen) ? chosen : field.contact_id;
  const isDecision = field.is_conflict && shown.length > 1;
  return (
    <div
      className={row}
      {...(isDecision && { role: 'radiogroup', 'aria-label': t('{field} that stays', { field: label }) })}
    >
      <div className="pt-1.5 text-muted max-sm:pt-0">
        {label}
        {isNumber && isDecision && <p className="text-xs">{t('The others stay as further numbers.')}</p>}
      </div>
      {shown.map((id) => {
        const value = own.get(id);
        if (value === undefined)
          return (
            <div key={id} className="px-2 py-1.5 text-muted max-sm:hidden">
              {EMPTY}
            </div>
          );
        if (isDecision)
          return (
            <Choice
              key={id}
              name={group}
              label={names.get(id) ?? id}
              isChosen={id === chosenId}
              isLost={!isNumber && value !== own.get(chosenId)}
              onChoose={() => choose(field.field, id)}
            >
              {textOf(value)}
            </Choice>
          );
        return (
          <div
            key={id}
            className={cx(
              'px-2 py-1.5 wrap-anywhere whitespace-pre-wrap max-sm:px-0 max-sm:py-0',
              // Equal values are shown once on a phone.
              id !== field.values[0]?.contact_id && 'max-sm:hidden',
            )}
          >
            {textOf(value)}
          </div>
        );
      })}
    </div>
  );
};

const Survivors = ({ comparison }: { readonly comparison: Comparison }) => {
  const group = useId();
  const { shown, stays, names, chooseSurvivor, leaveOut } = comparison;
  return (
    <div role="radiogroup" aria-label={t('Contact that stays')} className={row}>
      <div className="pt-1.5 font-medium max-sm:pt-0">{t('Stays')}</div>
      {shown.map((id, index) => {
        const name = names.get(id) ?? id;
        return (
          <div key={id} className="flex min-w-0 items-start gap-1 sm:flex-wrap sm:[&>label]:basis-full">
            <label
              className={cx(
                'flex min-w-0 flex-1 cursor-pointer items-start gap-2 rounded-lg border px-2 py-1.5 max-sm:min-h-10',
                id === stays ? 'border-accent bg-accent-soft text-accent-ink' : 'border-line hover:bg-sunken',
              )}
            >
              <input
                type="radio"
                name={group}
                checked={id === stays}
                onChange={() => chooseSurvivor(id)}
                className="mt-0.5 size-4 shrink-0 accent-(--color-accent)"
              />
              <span className="min-w-0 flex-1 font-medium wrap-anywhere">
                <bdi>
                  <NameOrPhone text={name} />
                </bdi>
              </span>
              {index < 9 && (
                <span aria-hidden className="max-sm:hidden">
                  <KeyHint keys={String(index + 1)} />
                </span>
              )}
            </label>
            <Link
              to="/contacts/$id"
              params={{ id }}
              target="_blank"
              className="px-1 py-1.5 text-[0.8125rem] text-muted underline hover:text-ink"
              aria-label={t('Open {name} in a new tab', { name })}
            >
              {t('Open')}
            </Link>
            {shown.length > 2 && (
              <IconButton
                size="small"
                label={t('Leave {name} out', { name })}
                icon={<X aria-hidden />}
                onClick={() => leaveOut(id)}
              />
            )}
          </div>
        );
      })}
    </div>
  );
};

/** The keys 1 to 9 choose the contact that stays. */
const SurvivorKeys = ({ comparison, isOfDialog }: { comparison: Comparison; isOfDialog: boolean }) =>
  comparison.shown
    .slice(0, 9)
    .map((id, index) => (
      <SurvivorKey
        key={id}
        keys={String(index + 1)}
        isOfDialog={isOfDialog}
        run={() => comparison.chooseSurvivor(id)}
      />
    ));
const SurvivorKey = ({ keys, isOfDialog, run }: { keys: string; isOfDialog: boolean; run: () => void }) => {
  useShortcut(keys, t('Keep contact {number}', { number: keys }), run, { isOfDialog });
  return null;
};

/** Contacts side by side, with the decisions of a merge and what it does. */
export const ComparisonTable = ({
  comparison,
  isOfDialog = false,
}: {
  readonly comparison: Comparison;
  readonly isOfDialog?: boolean;
}) => {
  const { shown, left, names, plan, problem, include } = comparison;
  const { data } = plan;
  if (plan.isError && !plan.isFetching)
    return <ErrorState error={plan.error} onRetry={() => void plan.refetch()} />;
  if (!data) return <Skeleton className="h-64 w-full" />;
  const moves = movesText(data.moves);
  const shared = data.enrollments?.filter(({ removed }) => removed.length > 0).length ?? 0;
  return (
    <div className="@container flex min-w-0 flex-col gap-4 text-sm" aria-busy={plan.isFetching}>
      <SurvivorKeys comparison={comparison} isOfDialog={isOfDialog} />
      {problem !== undefined && <Notice tone="danger">{problem}</Notice>}
      <section
        aria-label={t('Comparison')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="divide-y divide-line overflow-x-auto"
        style={columnsOf(shown.length) as object}
      >
        <Survivors comparison={comparison} />
        {data.fields.map((field) => (
          <FieldRow key={field.field} field={field} comparison={comparison} />
        ))}
        {data.tags.length > 0 && (
          <div className="grid gap-x-3 gap-y-1 py-2.5 sm:grid-cols-[8rem_1fr]">
            <div className="text-muted">{t('Tags')}</div>
            <div className="flex flex-wrap gap-1 sm:px-2">
              {data.tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </div>
          </div>
        )}
      </section>
      {left.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-muted">{t('Left out:')}</span>
          {left.map((id) => (
            <Button
              key={id}
              size="small"
              disabled={shown.length >= MAX_MERGED}
              onClick={() => include(id)}
              aria-label={t('Include {name}', { name: names.get(id) ?? id })}
            >
              <bdi className="truncate">{names.get(id) ?? id}</bdi>
            </Button>
          ))}
        </div>
      )}
      <div>
        <p className="font-medium">{t('What moves to the contact that stays')}</p>
        <p className="text-muted">
          {moves.length > 0 ? moves.join(' · ') : t('Only the values and tags above.')}
        </p>
        <p className="text-muted">{t('You can undo the merge for 30 days.')}</p>
      </div>
      {(data.warnings.length > 0 || shared > 0) && (
        <Notice tone="warn">
          <ul className="flex flex-col gap-1">
            {shared > 0 && (
              <li>
                {plural(
                  shared,
                  'In # campaign, several of them are enrolled. The most advanced enrollment stays.',
                  'In # campaigns, several of them are enrolled. The most advanced enrollment stays in each.',
                )}
              </li>
            )}
            {data.warnings.map((warning) => (
              <li key={warning} className="wrap-anywhere">
                {translatedMessage(warning) ?? warning}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
};
