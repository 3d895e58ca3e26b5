import type { Webhook, WebhookCreate } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import type { EventType } from './labels.tsx';

/** The input of the dialogs that add and edit an endpoint. */
export interface WebhookForm {
  readonly url: string;
  readonly description: string;
  readonly hasAllTypes: boolean;
  readonly types: readonly EventType[];
  readonly tag: string;
  readonly agent: string;
  readonly campaign: string;
  readonly payload: Webhook['payload'];
  readonly hasFields: boolean;
  readonly ordered: boolean;
  readonly concurrency: string;
  readonly rate: string;
}

export const blankForm: WebhookForm = {
  url: '',
  description: '',
  hasAllTypes: true,
  types: [],
  tag: '',
  agent: '',
  campaign: '',
  payload: 'snapshot',
  hasFields: false,
  ordered: false,
  concurrency: '10',
  rate: '',
};

export const formOf = (webhook: Webhook): WebhookForm => ({
  url: webhook.url,
  description: webhook.description ?? '',
  hasAllTypes: webhook.types === null,
  types: webhook.types ?? [],
  tag: webhook.tag ?? '',
  agent: webhook.agent_id ?? '',
  campaign: webhook.campaign_id ?? '',
  payload: webhook.payload,
  hasFields: webhook.include.includes('fields'),
  ordered: webhook.ordered,
  concurrency: String(webhook.max_concurrency),
  rate: webhook.rate_per_second === null ? '' : String(webhook.rate_per_second),
});

export const bodyOf = (form: WebhookForm): WebhookCreate => ({
  url: form.url.trim(),
  description: form.description || null,
  types: form.hasAllTypes ? null : form.types,
  tag: form.tag || null,
  agent_id: form.agent || null,
  campaign_id: form.campaign || null,
  payload: form.payload,
  include: form.hasFields ? ['fields'] : [],
  ordered: form.ordered,
  max_concurrency: Number(form.concurrency),
  rate_per_second: form.rate === '' ? null : Number(form.rate),
});

export const isSameForm = (one: WebhookForm, other: WebhookForm): boolean =>
  JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other));

/** What is missing before the form is sent, by field. */
export const missingFields = (form: WebhookForm): Readonly<Record<string, string>> => ({
  ...(form.url.trim() === '' && { url: t('Enter a URL.') }),
  ...(!form.hasAllTypes && form.types.length === 0 && { types: t('Select at least one event type.') }),
});
