import { call } from '../../../api/client.ts';
import type { AllThatMatch, Selection } from './selection.ts';

/** The maximum batch size that the service accepts. */
const BATCH_SIZE = 500;
const PAGE = 100;

/** Yields the ids of a selection in batches. */
export interface IdBatches {
  /** The next batch; empty at the end. */
  next(signal: AbortSignal): Promise<readonly string[]>;
  /** Reports how many contacts of the last batch no longer match the filter. */
  reportRemoved(count: number): void;
}

const pickedBatches = (ids: ReadonlySet<string>): IdBatches => {
  const rest = [...ids];
  return { next: async () => rest.splice(0, BATCH_SIZE), reportRemoved: () => {} };
};

/** Reads list pages until a batch is full. Other users may change the list meanwhile: new contacts come first and
 *  are skipped, and if the list has become shorter, the offset moves back so that no contact is missed. */
const matchingBatches = ({ filter, total, newest, except }: AllThatMatch): IdBatches => {
  const given = new Set<string>();
  let gathered: string[] = [];
  let offset = 0;
  let expected = total;
  const read = async (limit: number, signal: AbortSignal) => {
    const { data, pagination } = await call('GET', '/contacts', {
      query: { ...filter, limit, offset },
      signal,
    });
    const lost = expected - pagination.total;
    expected = pagination.total;
    if (lost > 0 && offset > 0) {
      offset = Math.max(0, offset - lost);
      return undefined;
    }
    offset += data.length;
    return data;
  };
  const next = async (signal: AbortSignal) => {
    while (gathered.length < BATCH_SIZE && given.size < total) {
      const contacts = await read(Math.min(PAGE, BATCH_SIZE - gathered.length), signal);
      if (contacts?.length === 0) break;
      for (const { id, created_at } of contacts ?? []) {
        if (given.has(id) || created_at > newest) continue;
        given.add(id);
        if (!except.has(id)) gathered.push(id);
      }
    }
    const ids = gathered;
    gathered = [];
    return ids;
  };
  return {
    next,
    reportRemoved: (count) => {
      offset = Math.max(0, offset - count);
      expected -= count;
    },
  };
};

export const batchesOf = (selection: Selection): IdBatches =>
  selection.kind === 'all' ? matchingBatches(selection) : pickedBatches(selection.ids);
