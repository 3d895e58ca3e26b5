import type { Figures } from '../../api/types.gen.ts';
import type { Point, Series } from '../../app/charts/series.ts';
import { t } from '../../lib/i18n.ts';

/** In stacking order, from the bottom. */
export const sources: readonly Series[] = [
  { id: 'import', label: t('Import'), color: 'var(--chart-1)' },
  { id: 'api', label: t('API'), color: 'var(--chart-3)' },
  { id: 'inbound', label: t('Inbound'), color: 'var(--chart-2)' },
  { id: 'webhook', label: t('Webhook'), color: 'var(--chart-4)' },
  { id: 'manual', label: t('Added manually'), color: 'var(--chart-5)' },
];

export const outcomes: readonly Series[] = [
  { id: 'completed', label: t('Completed'), color: 'var(--chart-1)' },
  { id: 'unsuccessful', label: t('Not completed'), color: 'var(--chart-2)' },
  { id: 'open', label: t('Not ended yet'), color: 'var(--chart-3)' },
];

export type Statuses = Readonly<Record<string, number>>;

const count = (statuses: Statuses, ...names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (statuses[name] ?? 0), 0);

/** Completed calls, those that ended otherwise, and those that have not ended. */
export const outcomesOf = (statuses: Statuses) => ({
  completed: count(statuses, 'completed'),
  unsuccessful: count(statuses, 'busy', 'no_answer', 'canceled', 'failed'),
  open: count(statuses, 'queued', 'ringing', 'in_progress'),
});

export const contactPoints = ({ days }: Figures): Point[] =>
  days.map(({ day, contacts }) => ({ key: day, values: contacts }));

export const callPoints = ({ days }: Figures): Point[] =>
  days.map(({ day, statuses }) => ({ key: day, values: outcomesOf(statuses) }));

export const totalOf = (counts: Statuses): number =>
  Object.values(counts).reduce((sum, each) => sum + each, 0);

export interface Compared {
  readonly now: number;
  readonly before: number;
}

/** What happened in the period and in the one before. */
export const compare = ({ days, previous }: Figures) => {
  const sum = (of: (day: Figures['days'][number]) => number) =>
    days.reduce((total, day) => total + of(day), 0);
  const outcome = (name: 'completed' | 'unsuccessful'): Compared => ({
    now: sum(({ statuses }) => outcomesOf(statuses)[name]),
    before: outcomesOf(previous.statuses)[name],
  });
  return {
    contacts: { now: sum(({ contacts }) => totalOf(contacts)), before: totalOf(previous.contacts) },
    calls: { now: sum(({ calls }) => calls), before: previous.calls },
    completed: outcome('completed'),
    unsuccessful: outcome('unsuccessful'),
  };
};
