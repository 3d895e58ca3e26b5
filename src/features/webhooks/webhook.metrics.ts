import { gauge, type Metric } from '../../lib/metric.ts';
import type { Backlog } from './delivery.service.ts';

/** The length and age of the queue of all active endpoints. */
export const backlogMetrics = ({ pending, oldest }: Backlog): Metric[] => [
  gauge(
    'roster_webhook_deliveries_pending',
    'Deliveries that are in flight or wait for an attempt.',
    pending,
  ),
  gauge(
    'roster_webhook_queue_age_seconds',
    'How long the oldest due delivery or event has waited, without endpoints that fail; 0 if there is none.',
    oldest === null ? 0 : Math.max(0, (Date.now() - Date.parse(oldest)) / 1_000),
  ),
];
