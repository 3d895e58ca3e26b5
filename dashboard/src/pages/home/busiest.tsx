import { Link } from '@tanstack/react-router';
import type { BusyAgent, Figures } from '../../api/types.gen.ts';
import { numberText } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Section } from '../../ui/page.tsx';

const Ranking = ({
  title,
  rows,
  searchOf,
}: {
  readonly title: string;
  readonly rows: readonly BusyAgent[];
  readonly searchOf: (id: string) => object;
}) => {
  const most = Math.max(...rows.map(({ calls }) => calls));
  return (
    <Section title={title}>
      <ul aria-label={title} className="flex flex-col gap-2 text-sm">
        {rows.map(({ id, name, calls }) => (
          <li key={id}>
            <Link to="/calls" search={searchOf(id)} className="block rounded-lg px-1 hover:bg-sunken">
              <span className="flex justify-between gap-3">
                <bdi className="min-w-0 truncate">{name}</bdi>{' '}
                <span className="figure">{numberText(calls)}</span>
              </span>
              <span aria-hidden className="mt-1 block h-1.5 rounded-full bg-sunken">
                <span
                  className="block h-full rounded-full"
                  style={{ width: `${(100 * calls) / most}%`, background: 'var(--chart-1)' }}
                />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
};

/** The calls of the period by agent and by channel, each with a link to them. */
export const Busiest = ({ figures }: { readonly figures: Figures }) => {
  const date = `${figures.from}..${figures.to}`;
  const { agents_by_calls: agents, channels_by_calls: channels } = figures;
  if (agents.length + channels.length === 0) return null;
  return (
    <div className="grid items-start gap-x-5 lg:grid-cols-2 [&>*]:min-w-0">
      <Ranking title={t('Calls by agent')} rows={agents} searchOf={(agent) => ({ agent, date })} />
      <Ranking title={t('Calls by channel')} rows={channels} searchOf={(channel) => ({ channel, date })} />
    </div>
  );
};
