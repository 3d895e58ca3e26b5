import { AdmissionQueue } from '../lib/admission-control.ts';
import { unavailable } from '../lib/errors.ts';
import { gauge, type Metric } from '../lib/metric.ts';
import { kindOf } from './operation.ts';
import type { Storage } from './storage.ts';

export type AdmissionQueues = Readonly<Record<'read' | 'longRead' | 'write', AdmissionQueue>>;

/** Each serving thread has its share. */
export const newAdmissionQueues = (threads: number): AdmissionQueues => ({
  read: new AdmissionQueue(Math.ceil(2_048 / threads)),
  longRead: new AdmissionQueue(Math.ceil(64 / threads)),
  write: new AdmissionQueue(Math.ceil(2_048 / threads)),
});

export const admissionMetrics = (queues: AdmissionQueues): Metric[] => {
  const each = (name: 'active' | 'limit') =>
    Object.entries(queues).map(([queue, values]) => [`queue="${queue}"`, values[name]] as const);
  const active = 'Database operations of requests that run or wait, by queue.';
  return [
    gauge('roster_admission_queue_length', active, each('active')),
    gauge('roster_admission_queue_limit', 'Length at which requests are rejected, by queue.', each('limit')),
  ];
};

/** The storage as requests use it. Load shedding (http/server/load-shedding.ts) admits a whole request before it runs. Only
 *  here is it known whether an operation is a long read, so a full queue rejects long reads here. */
export const withAdmission = (storage: Storage, queues: AdmissionQueues, onShed: () => void): Storage => ({
  ...storage,
  run: ((operation, principal, input) => {
    const kind = kindOf(operation, input);
    if (kind === 'longRead' && queues.longRead.isFull) {
      onShed();
      throw unavailable('Too many searches are waiting. Retry in a few seconds.');
    }
    return queues[kind].admit(() => storage.run(operation, principal, input));
  }) as Storage['run'],
});
