import { eventTypes as allTypes } from '../../api/actions.gen.ts';
import type { Webhook, WebhookAttempt } from '../../api/types.gen.ts';
import { exactTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

export type EventType = NonNullable<Webhook['types']>[number];

type Kind = EventType extends `${infer Name}.${string}` ? Name : never;

/** The group of each kind of record, in the order in which they are shown. */
const groups: Readonly<Record<Kind, string>> = {
  contact: t('Contacts'),
  call: t('Calls'),
  agent: t('Agents'),
  version: t('Agents'),
  campaign: t('Campaigns'),
  enrollment: t('Enrollments'),
  channel: t('Channels'),
  import: t('Imports'),
  webhook: t('Webhooks'),
};

const kinds = Object.keys(groups);
const kindOf = (type: EventType) => type.split('.')[0] as Kind;

/** Every type that a webhook can select. */
export const eventTypes = allTypes
  .filter((type): type is EventType => type !== 'webhook.test')
  .toSorted((one, other) => kinds.indexOf(kindOf(one)) - kinds.indexOf(kindOf(other)));

export const eventGroups: readonly (readonly [string, readonly EventType[]])[] = [
  ...Map.groupBy(eventTypes, (type) => groups[kindOf(type)]),
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
