import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { dayText } from '../../app/charts/series.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Input } from '../../ui/field.tsx';
import { Popover } from '../../ui/popover.tsx';
import { type HomeSearch, lengthOf, MAX_DAYS } from './url-params.ts';

const choices = ['7', undefined, '90'] as const;
const segment = (isCurrent: boolean) =>
  cx(
    'rounded-md px-3 py-1.5 font-medium',
    isCurrent ? 'bg-surface text-ink shadow-lift dark:bg-line' : 'text-muted hover:text-ink',
  );

/** Selects which days the charts show. */
export const PeriodSelect = ({
  search,
  from,
  to,
}: {
  readonly search: HomeSearch;
  /** The days that are shown. */
  readonly from: string;
  readonly to: string;
}) => {
  const isCustom = search.from !== undefined;
  return (
    <nav
      aria-label={t('Days shown')}
      className="flex flex-wrap rounded-lg border border-line bg-sunken p-0.5 text-[0.8125rem]"
    >
      {choices.map((days) => {
        const isCurrent = !isCustom && days === search.days;
        return (
          <Link
            key={days ?? '30'}
            to="/"
            search={{ days }}
            replace
            resetScroll={false}
            aria-current={isCurrent ? 'true' : undefined}
            className={segment(isCurrent)}
          >
            {plural(Number(days ?? 30), '# day', '# days')}
          </Link>
        );
      })}
      <CustomPeriod isCurrent={isCustom} from={from} to={to} />
    </nav>
  );
};

const CustomPeriod = ({
  isCurrent,
  from,
  to,
}: {
  readonly isCurrent: boolean;
  readonly from: string;
  readonly to: string;
}) => {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label={t('Custom period')}
      open={open}
      onOpenChange={setOpen}
      align="end"
      trigger={
        <button type="button" aria-current={isCurrent ? 'true' : undefined} className={segment(isCurrent)}>
          {isCurrent ? `${dayText(from)} – ${dayText(to)}` : t('Custom')}
        </button>
      }
    >
      <PeriodForm from={from} to={to} onDone={() => setOpen(false)} />
    </Popover>
  );
};

const PeriodForm = ({
  onDone,
  ...shown
}: {
  readonly from: string;
  readonly to: string;
  readonly onDone: () => void;
}) => {
  const navigate = useNavigate();
  const [{ from, to }, setDays] = useState(shown);
  const isComplete = from !== '' && to !== '';
  const problem = !isComplete
    ? undefined
    : from > to
      ? t('Must not be before the first day.')
      : lengthOf(from, to) === undefined && t('Choose at most {days} days.', { days: MAX_DAYS });
  return (
    <form
      className="flex flex-col gap-2 p-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isComplete || problem) return;
        void navigate({ to: '/', search: { from, to }, replace: true, resetScroll: false });
        onDone();
      }}
    >
      <Input
        label={t('From')}
        type="date"
        value={from}
        onChange={({ target }) => setDays({ from: target.value, to })}
      />
      <Input
        label={t('To')}
        type="date"
        value={to}
        error={problem}
        onChange={({ target }) => setDays({ from, to: target.value })}
      />
      <Button type="submit" variant="primary" disabled={!isComplete || Boolean(problem)}>
        {t('Apply')}
      </Button>
    </form>
  );
};
