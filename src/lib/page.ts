import * as v from './validation.ts';

export interface PageRequest {
  limit: number;
  offset: number;
}

/** One page of a list: its records as JSON, joined by commas, and the number of records in the whole list. */
export interface Page {
  json: string;
  total: number;
}

export const pageOf = (records: readonly object[], total: number): Page => ({
  json: records.map((record) => JSON.stringify(record)).join(','),
  total,
});

export const pageFields = {
  limit: v.queryInteger(1, 100, 20, { description: 'Maximum number of records per page.' }),
  offset: v.queryInteger(0, Number.MAX_SAFE_INTEGER, 0, { description: 'Number of records to skip.' }),
} satisfies Record<string, v.Field<number>>;

export const pageRequestOf = (query: Partial<PageRequest>): PageRequest => ({
  limit: query.limit ?? 20,
  offset: query.offset ?? 0,
});

/** Whether finding the page skips so many records that it is a long read. */
export const isDeepPage = ({ offset = 0 }: Partial<PageRequest>): boolean => offset > 1_000;
