import type { Webhook, WebhookAttempt } from '../../api/types.gen.ts';
import { exactTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

export type EventType = NonNullable<Webhook['types']>[number];

/** The group of every type, in the order in which they are shown. */
const groups: Record<EventType, string> = {
  'contact.created': t('Contacts'),
  'contact.updated': t('Contacts'),
  'contact.deleted': t('Contacts'),
  'call.recorded': t('Calls'),
  'call.updated': t('Calls'),
  'agent.created': t('Agents'),
  'agent.updated': t('Agents'),
  'agent.deployed': t('Agents'),
  'agent.deleted': t('Agents'),
  'version.created': t('Agents'),
  'campaign.created': t('Campaigns'),
  'campaign.updated': t('Campaigns'),
  'campaign.deleted': t('Campaigns'),
  'enrollment.created': t('Enrollments'),
  'enrollment.updated': t('Enrollments'),
  'enrollment.deleted': t('Enrollments'),
  'channel.created': t('Channels'),
  'channel.updated': t('Channels'),
  'channel.deleted': t('Channels'),
  'import.created': t('Imports'),
  'import.updated': t('Imports'),
  'import.deleted': t('Imports'),
  'webhook.disabled': t('Webhooks'),
};

export const eventTypes = Object.keys(groups) as EventType[];

export const eventGroups: readonly (readonly [string, readonly EventType[]])[] = [
  ...Map.groupBy(eventTypes, (type) => groups[type]),
];

const SHOWN_TYPES = 2;

/** `contact.created, contact.updated and 3 more`. */
export const eventsText = ({ types }: Pick<Webhook, 'types'>): string => {
  if (types === null) return t('All events');
  const rest = types.length - SHOWN_TYPES;
  return (
    types.slice(0, SHOWN_TYPES).join(', ') + (rest > 0 ? ` ${t('and {count} more', { count: rest })}` : '')
  );
};

/** Why the service disabled the endpoint, with a readable time. */
export const disabledReason = ({ disabled_reason, failing_since }: Webhook): string => {
  const reason = disabled_reason ?? '';
  return failing_since ? reason.replace(failing_since, exactTime(failing_since)) : reason;
};

/** The host stands out in a list of URLs and fits into a sentence. */
export const hostText = ({ url }: Pick<Webhook, 'url'>): string => URL.parse(url)?.host ?? url;

export const WebhookStatus = ({ webhook }: { readonly webhook: Webhook }) => {
  if (webhook.status === 'disabled') return <Badge tone="danger">{t('Disabled')}</Badge>;
  if (webhook.status === 'paused') return <Badge tone="warn">{t('Paused')}</Badge>;
  if (webhook.failing_since) return <Badge tone="danger">{t('Failing')}</Badge>;
  return (
    <Badge tone="good" dot>
      {t('Active')}
    </Badge>
  );
};

export const resultLabels: Record<WebhookAttempt['result'], string> = {
  delivered: t('Delivered'),
  failed: t('Failed'),
  gone: t('Gone'),
};
const resultTones: Record<WebhookAttempt['result'], Tone> = {
  delivered: 'good',
  failed: 'danger',
  gone: 'danger',
};

export const AttemptResult = ({ result }: Pick<WebhookAttempt, 'result'>) => (
  <Badge tone={resultTones[result]}>{resultLabels[result]}</Badge>
);

/** `340 ms` or `15.2 s`. */
export const millisecondsText = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;

export const purpose = t(
  'A webhook sends every change of contacts, calls, agents and campaigns to your systems as it happens.',
);
