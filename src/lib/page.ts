import { notFound } from './errors.ts';
import { type Field, queryInteger } from './validation.ts';

export interface PageRequest {
  limit: number;
  offset: number;
}

/** One page of a list: its records as JSON, joined by commas, and how many there are in all. */
export interface Page {
  json: string;
  total: number;
}

/** The query fields that every list takes. */
export const pageFields = {
  limit: queryInteger(1, 100, 20, { description: 'How many records a page has at most.' }),
  offset: queryInteger(0, Number.MAX_SAFE_INTEGER, 0, { description: 'How many records to skip.' }),
} satisfies Record<string, Field<number>>;

export const pageRequestOf = (query: Partial<PageRequest>): PageRequest => ({
  limit: query.limit ?? 20,
  offset: query.offset ?? 0,
});

/** Whether finding the page means walking far past others, so that it must not be done where requests are served. */
export const isDeepPage = ({ offset = 0 }: Partial<PageRequest>): boolean => offset > 1_000;

/** The record with an id out of a short list of them. */
export const findById = async <T extends { id: string }>(
  what: string,
  id: string,
  list: Promise<T[]>,
): Promise<T> => {
  const found = (await list).find((each) => each.id === id);
  if (!found) throw notFound(what);
  return found;
};
