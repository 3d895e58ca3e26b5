import { call } from '../../../api/client.ts';
import type { AllThatMatch, Chosen } from './selection.ts';

/** The maximum batch size that the service accepts. */
const STEP = 500;
const PAGE = 100;

/** Yields the ids of a selection in batches. */
export interface Walk {
  /** The next batch; empty at the end. */
  next(signal: AbortSignal): Promise<readonly string[]>;
  /** Reports how many contacts of the last batch no longer match the filter. */
  left(count: number): void;
}

const walkPicked = (ids: ReadonlySet<string>): Walk => {
  const rest = [...ids];
  return { next: async () => rest.splice(0, STEP), left: () => {} };
};

/** Reads list pages until a batch is full. Other users may change the list meanwhile: new contacts come first and
 *  are skipped, and if the list has become shorter, the offset moves back so that no contact is missed. */
const walkMatches = ({ filter, total, newest, except }: AllThatMatch): Walk => {
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
    while (gathered.length < STEP && given.size < total) {
      const contacts = await read(Math.min(PAGE, STEP - gathered.length), signal);
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
    left: (count) => {
      offset = Math.max(0, offset - count);
      expected -= count;
    },
  };
};

export const walkOf = (chosen: Chosen): Walk =>
  chosen.kind === 'all' ? walkMatches(chosen) : walkPicked(chosen.ids);
