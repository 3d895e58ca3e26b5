import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Figures } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Section } from '../../ui/page.tsx';

interface Step {
  readonly title: string;
  readonly text: string;
  readonly done: boolean;
  /** Links, the recommended one first. */
  readonly links: readonly ReactElement[];
}

const stepsOf = (figures: Figures): Step[] => [
  {
    title: t('Add or import contacts'),
    text: t('The people your agents talk to, one by one or from a CSV or Excel file.'),
    done: figures.contacts > 0,
    links: [
      <Link key="import" to="/import">
        {t('Import a file')}
      </Link>,
      <Link key="add" to="/contacts" search={{ add: true }}>
        {t('Add contact')}
      </Link>,
    ],
  },
  {
    title: t('Create an agent'),
    text: t('Its instructions define what it says. They stay a draft until you deploy them.'),
    done: figures.agents > 0,
    links: [
      <Link key="agent" to="/agents" search={{ add: true }}>
        {t('Create agent')}
      </Link>,
    ],
  },
  {
    title: t('Deploy it and connect a channel'),
    text: t('A deployed version goes live on every channel its agent is connected to.'),
    done: figures.active_agents > 0 && figures.connected_channels > 0,
    links: [
      ...(figures.active_agents > 0
        ? []
        : [
            <Link key="deploy" to="/agents">
              {t('Deploy')}
            </Link>,
          ]),
      ...(figures.connected_channels > 0
        ? []
        : [
            <Link key="connect" to="/channels">
              {t('Connect channel')}
            </Link>,
          ]),
    ],
  },
];

export const isSetUp = (figures: Figures): boolean => stepsOf(figures).every(({ done }) => done);

/** The steps from an empty workspace to a live agent. */
export const GetStarted = ({ figures }: { readonly figures: Figures }) => {
  const steps = stepsOf(figures);
  const next = steps.findIndex(({ done }) => !done);
  const left = steps.filter(({ done }) => !done).length;
  return (
    <Section
      title={t('Get started')}
      description={
        left === steps.length
          ? t('Three steps to get your agent live.')
          : t('{left} of 3 steps left.', { left })
      }
    >
      <ol className="grid gap-3 lg:grid-cols-3">
        {steps.map(({ title, text, done, links }, index) => (
          <li
            key={title}
            className={cx('flex gap-3 rounded-xl border border-line p-4', done && 'bg-sunken/60')}
          >
            <span
              aria-hidden
              className={cx(
                'grid size-7 shrink-0 place-items-center rounded-full text-sm font-semibold',
                done ? 'bg-accent text-on-accent' : 'bg-accent-soft text-accent-ink',
              )}
            >
              {done ? <Check className="size-4" strokeWidth={3} /> : index + 1}
            </span>
            <div className="flex min-w-0 flex-1 flex-col">
              <h3 className="mt-0.5 font-medium">
                {title}
                {done && <span className="sr-only"> {t('(done)')}</span>}
              </h3>
              <p className="mt-0.5 text-sm text-muted">{text}</p>
              {!done && (
                <div className="mt-auto flex flex-wrap gap-2 pt-3">
                  {links.map((link, at) => (
                    <Button
                      key={link.key}
                      asChild
                      size="small"
                      variant={index === next && at === 0 ? 'primary' : 'secondary'}
                    >
                      {link}
                    </Button>
                  ))}
                </div>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
};
