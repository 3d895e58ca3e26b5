import type { Call } from '../../api/types.gen.ts';
import type { Tone } from '../../ui/badge.tsx';

export const statusLabels: Record<Call['status'], { readonly label: string; readonly tone: Tone }> = {
  queued: { label: 'Queued', tone: 'plain' },
  ringing: { label: 'Ringing', tone: 'info' },
  in_progress: { label: 'In progress', tone: 'info' },
  completed: { label: 'Completed', tone: 'good' },
  busy: { label: 'Busy', tone: 'warn' },
  no_answer: { label: 'No answer', tone: 'warn' },
  canceled: { label: 'Canceled', tone: 'plain' },
  failed: { label: 'Failed', tone: 'danger' },
};

/** `Inbound call`, `Outbound message`. */
export const callLabel = ({ direction, type }: Pick<Call, 'direction' | 'type'>): string =>
  `${direction === 'inbound' ? 'Inbound' : 'Outbound'} ${type}`;

/** The contact's name, or the number. Neither is stored after the contact was deleted. */
export const contactLabel = ({ contact_name, number }: Pick<Call, 'contact_name' | 'number'>): string =>
  contact_name ?? number ?? 'Deleted contact';
