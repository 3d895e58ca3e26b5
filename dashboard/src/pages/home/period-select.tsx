import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { dayText } from '../../app/charts/series.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Input } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
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
  const isCustom = search.from !== undefined || search.month !== undefined;
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
      <CustomPeriod isCurrent={isCustom} month={search.month} from={from} to={to} />
    </nav>
  );
};

const monthLabels = { this: t('This month'), last: t('Last month') } as const;
const months = Object.keys(monthLabels) as (keyof typeof monthLabels)[];

const CustomPeriod = ({
  isCurrent,
  month,
  from,
  to,
}: {
  readonly isCurrent: boolean;
  readonly month: HomeSearch['month'];
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
          {month ? monthLabels[month] : isCurrent ? `${dayText(from)} – ${dayText(to)}` : t('Custom')}
        </button>
      }
    >
      <Months current={month} onDone={() => setOpen(false)} />
      <PeriodForm from={from} to={to} onDone={() => setOpen(false)} />
    </Popover>
  );
};

/** Calendar months, which are compared with the month before. */
const Months = ({
  current,
  onDone,
}: {
  readonly current: HomeSearch['month'];
  readonly onDone: () => void;
}) => (
  <div className="grid grid-cols-2 gap-2 p-2 pb-0">
    {months.map((month) => (
      <Button key={month} size="small" asChild>
        <Link
          to="/"
          search={{ month }}
          replace
          resetScroll={false}
          aria-current={month === current ? 'true' : undefined}
          onClick={onDone}
        >
          {monthLabels[month]}
        </Link>
      </Button>
    ))}
  </div>
);

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
    <Form
      className="flex flex-col gap-2 p-2"
      onSubmit={() => {
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
    </Form>
  );
};
