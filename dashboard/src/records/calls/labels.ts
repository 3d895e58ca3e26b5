import type { Call } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import type { Tone } from '../../ui/badge.tsx';

export const statusLabels: Record<Call['status'], { readonly label: string; readonly tone: Tone }> = {
  queued: { label: t('Queued'), tone: 'plain' },
  ringing: { label: t('Ringing'), tone: 'info' },
  in_progress: { label: t('In progress'), tone: 'info' },
  completed: { label: t('Completed'), tone: 'good' },
  busy: { label: t('Busy'), tone: 'warn' },
  no_answer: { label: t('No answer'), tone: 'warn' },
  canceled: { label: t('Canceled'), tone: 'plain' },
  failed: { label: t('Failed'), tone: 'danger' },
};

const kinds = {
  inbound: { call: t('Inbound call'), message: t('Inbound message') },
  outbound: { call: t('Outbound call'), message: t('Outbound message') },
};

/** `Inbound call`, `Outbound message`. */
export const callLabel = ({ direction, type }: Pick<Call, 'direction' | 'type'>): string =>
  kinds[direction][type];

/** The contact's name, or the number. Neither is stored after the contact was deleted. */
export const contactLabel = ({ contact_name, number }: Pick<Call, 'contact_name' | 'number'>): string =>
  contact_name ?? number ?? t('Deleted contact');
