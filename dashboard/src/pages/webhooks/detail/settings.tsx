import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { Webhook } from '../../../api/types.gen.ts';
import { exactTime, numberText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { CopyButton } from '../../../ui/copy.tsx';

const linkClass = 'rounded wrap-anywhere underline';

const AgentLink = ({ id }: { readonly id: string }) => {
  const { data } = useQuery(apiQuery('/agents/{id}', { params: { id } }));
  return (
    <Link to="/agents/$id" params={{ id }} className={linkClass}>
      {data?.data.name ?? id}
    </Link>
  );
};

const CampaignLink = ({ id }: { readonly id: string }) => {
  const { data } = useQuery(apiQuery('/campaigns/{id}', { params: { id } }));
  return (
    <Link to="/campaigns/$id" params={{ id }} className={linkClass}>
      {data?.data.name ?? id}
    </Link>
  );
};

const Setting = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex gap-4 py-2.5 max-sm:flex-col max-sm:gap-0.5">
    <dt className="w-40 shrink-0 text-muted">{name}</dt>
    <dd className="min-w-0 flex-1 wrap-anywhere">{children}</dd>
  </div>
);

/** The settings of an endpoint. */
export const Settings = ({ webhook }: { readonly webhook: Webhook }) => {
  const { types, tag, agent_id, campaign_id } = webhook;
  return (
    <section className="card p-4 sm:p-5" aria-label={t('Settings')}>
      <dl className="-my-2.5 divide-y divide-line text-sm">
        <Setting name={t('Events')}>
          {types === null ? (
            t('All events')
          ) : (
            <ul className="flex flex-wrap gap-1.5">
              {types.map((type) => (
                <li key={type} className="rounded-md bg-sunken px-1.5 py-0.5 font-mono text-xs">
                  {type}
                </li>
              ))}
            </ul>
          )}
        </Setting>
        {tag && (
          <Setting name={t('Tag')}>
            <bdi>{tag}</bdi>
          </Setting>
        )}
        {agent_id && (
          <Setting name={t('Agent')}>
            <AgentLink id={agent_id} />
          </Setting>
        )}
        {campaign_id && (
          <Setting name={t('Campaign')}>
            <CampaignLink id={campaign_id} />
          </Setting>
        )}
        <Setting name={t('Payload')}>
          {webhook.payload === 'thin' ? t('Thin: only IDs') : t('Snapshot: the record after the change')}
        </Setting>
        <Setting name={t('Include values of fields')}>
          {webhook.include.length > 0 ? t('On') : t('Off')}
        </Setting>
        <Setting name={t('Ordered delivery')}>
          {webhook.ordered ? t('On, for each record') : t('Off')}
        </Setting>
        <Setting name={t('Concurrent requests')}>{numberText(webhook.max_concurrency)}</Setting>
        <Setting name={t('Requests per second')}>
          {webhook.rate_per_second === null ? t('No limit') : numberText(webhook.rate_per_second)}
        </Setting>
        <Setting name={t('Created')}>{exactTime(webhook.created_at)}</Setting>
        <Setting name={t('Endpoint ID')}>
          <span className="-my-1.5 flex items-center gap-1">
            <code className="min-w-0 font-mono text-[0.8125rem] break-all">{webhook.id}</code>
            <CopyButton text={webhook.id} label={t('Copy endpoint ID')} size="small" />
          </span>
        </Setting>
      </dl>
    </section>
  );
};
