import { Gate } from '../lib/admission-control.ts';
import { unavailable } from '../lib/errors.ts';
import type { Storage } from './storage.ts';

/** Whether there is room at the doors, told before anything is done for a request. */
export type Gates = Readonly<Record<'read' | 'scan' | 'write', Gate>>;

/** Room for the connections that a service may well have at once; searches are fewer and longer. */
export const newGates = (): Gates => ({ read: new Gate(2_048), scan: new Gate(64), write: new Gate(2_048) });

/** The doors for requests, of which there may be too many. Who passed the entrance of a read or of a write is not turned
 *  away halfway; that it takes a scan shows only here. */
export const gated = (storage: Storage, gates: Gates, onShed: () => void): Storage => ({
  ...storage,
  read: (operation, who, input) => gates.read.pass(() => storage.read(operation, who, input)),
  write: (operation, who, input) => gates.write.pass(() => storage.write(operation, who, input)),
  scan: async (operation, who, input) => {
    assertRoom(gates.scan, onShed);
    return gates.scan.pass(() => storage.scan(operation, who, input));
  },
  recall: (operation, who, input, how) => {
    if (how.grows) assertRoom(gates.scan, onShed);
    return gates[how.grows ? 'scan' : 'read'].pass(() => storage.recall(operation, who, input, how));
  },
});

const assertRoom = ({ isFull }: Gate, onShed: () => void) => {
  if (!isFull) return;
  onShed();
  throw unavailable('Too many searches wait already. Send the request again in a moment.');
};
