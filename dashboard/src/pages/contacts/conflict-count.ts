import { reading } from '../../api/query.ts';

const SELDOM_MS = 60_000;

/** How many contacts have two numbers that conflict. They come with imports alone, so it is asked seldom. */
export const conflictCount = {
  ...reading('/contacts/conflicts', { query: { limit: 1 } }),
  staleTime: SELDOM_MS,
};
