import { AdmissionQueue } from '../lib/admission-control.ts';
import { unavailable } from '../lib/errors.ts';
import { kindOf } from './operation.ts';
import type { Storage } from './storage.ts';

/** One queue for each kind of operation. */
export type AdmissionQueues = Readonly<Record<'read' | 'longRead' | 'write', AdmissionQueue>>;

/** Room for as many connections as a service commonly has; long reads are fewer. */
export const newAdmissionQueues = (): AdmissionQueues => ({
  read: new AdmissionQueue(2_048),
  longRead: new AdmissionQueue(64),
  write: new AdmissionQueue(2_048),
});

/** The storage as requests use it. A request that was admitted as a read or a write is not rejected halfway (see
 *  http/server/load-shedding.ts). Whether it is a long read is known only here, so a full queue rejects it here. */
export const withAdmission = (storage: Storage, gates: AdmissionQueues, onShed: () => void): Storage => ({
  ...storage,
  run: ((operation, principal, input) => {
    const kind = kindOf(operation, input);
    if (kind === 'longRead' && gates.longRead.isFull) {
      onShed();
      throw unavailable('Too many searches are waiting. Retry in a few seconds.');
    }
    return gates[kind].admit(() => storage.run(operation, principal, input));
  }) as Storage['run'],
});
