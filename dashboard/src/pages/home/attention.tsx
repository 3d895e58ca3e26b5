import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { apiQuery } from '../../api/query.ts';
import type { AttentionItem } from '../../api/types.gen.ts';
import { plural, t } from '../../lib/i18n.ts';
import { cx } from '../../ui/cx.ts';
import { Section } from '../../ui/page.tsx';
import { rich } from '../../ui/rich.tsx';
import { Time } from '../../ui/time.tsx';

interface Shown {
  readonly text: ReactNode;
  readonly target: Pick<LinkProps, 'to' | 'params' | 'search'>;
  readonly isUrgent?: boolean;
}

const shownOf = ({ kind, id, at, count }: AttentionItem): Shown => {
  const time = at && <Time at={at} />;
  const oldSecret = rich('The old secret stops working {time}.', { time });
  const webhook = { to: '/webhooks/$id', params: { id } } as const;
  const campaign = { to: '/campaigns/$id', params: { id } } as const;
  switch (kind) {
    case 'webhook.disabled':
      return { text: t('Disabled: events are no longer sent.'), target: webhook, isUrgent: true };
    case 'webhook.failing':
      return {
        text: rich('Deliveries fail. The first one failed {time}.', { time }),
        target: webhook,
        isUrgent: true,
      };
    case 'campaign.stuck':
      return {
        text: at
          ? rich('Contacts are due, but the last claim was {time}.', { time })
          : t('Contacts are due, but no dialer has claimed one yet.'),
        target: { ...campaign, search: { dialer: true } },
        isUrgent: true,
      };
    case 'campaign.blocked':
      return {
        text: plural(count ?? 0, '# contact is blocked.', '# contacts are blocked.'),
        target: { ...campaign, search: { status: 'blocked' } },
      };
    case 'key.expiring':
      return {
        text: rich('This API key expires {time}.', { time }),
        target: { to: '/settings', search: { tab: 'keys' } },
      };
    case 'webhook.old_secret':
      return { text: oldSecret, target: webhook };
    case 'integration.old_secret':
      return { text: oldSecret, target: { to: '/integrations', search: { integration: id } } };
    case 'channel.old_secret':
      return { text: oldSecret, target: { to: '/channels', search: { channel: id } } };
    case 'import.planned':
      return {
        text: t('This import is not applied yet. Review its rows.'),
        target: { to: '/import/$id', params: { id } },
      };
    case 'agent.unconnected':
      return {
        text: t('This agent is deployed, but no channel is connected to it.'),
        target: { to: '/agents/$id', params: { id }, search: { connect: true } },
      };
  }
};

/** What someone should look at, with a link to its place. */
export const Attention = () => {
  const items = useQuery(apiQuery('/attention')).data?.data;
  if (!items) return null;
  if (items.length === 0)
    return (
      <p className="mb-5 flex items-center gap-2 text-sm text-muted">
        <CircleCheck className="size-4 text-accent-ink" aria-hidden />
        {t('Nothing needs attention.')}
      </p>
    );
  return (
    <Section title={t('Needs attention')}>
      <ul className="-my-2 divide-y divide-line text-sm">
        {items.map((item) => {
          const { text, target, isUrgent } = shownOf(item);
          return (
            <li key={`${item.kind} ${item.id}`} className="flex gap-2.5 py-2.5">
              <TriangleAlert
                className={cx('mt-0.5 size-4 shrink-0', isUrgent ? 'text-danger-ink' : 'text-warn-ink')}
                aria-hidden
              />
              <div className="min-w-0">
                <Link {...target} dir="auto" className="rounded font-medium wrap-anywhere hover:underline">
                  {item.name}
                </Link>
                <p className="text-[0.8125rem] text-muted">{text}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
};
