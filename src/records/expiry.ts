import { expiring } from '../jobs/expiry.ts';
import { deleteBefore } from './audit.store.ts';
import { deleteChangesBefore } from './timeline.store.ts';

/** Deletes audit entries, and below the changes in timelines of contacts. */
export const expireEntries = expiring('expireEntries', deleteBefore);
export const expireChanges = expiring('expireChanges', deleteChangesBefore);
