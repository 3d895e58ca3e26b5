import { call } from '../../../api/client.ts';
import type { AllThatMatch, Chosen } from './selection.ts';

/** As many as the service takes in one request. */
const STEP = 500;
const PAGE = 100;

/** Gives out what was chosen, step by step. */
export interface Walk {
  /** The next ids; none at the end. */
  next(signal: AbortSignal): Promise<readonly string[]>;
  /** Tells that the work made so many of them leave the list. */
  left(count: number): void;
}

const walkPicked = (ids: ReadonlySet<string>): Walk => {
  const rest = [...ids];
  return { next: async () => rest.splice(0, STEP), left: () => {} };
};

/** Reads the list as far as the next step needs it. Others may change it meanwhile: what comes in stands first and is
 *  passed over, and when the list got shorter by itself, the walk goes back by as much, so that none is missed. */
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
