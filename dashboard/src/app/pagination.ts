export const PAGE_SIZE = 50;

/** The query parameters of a page; pages count from 1. */
export const pageQuery = (page: number, size = PAGE_SIZE): { limit: number; offset: number } => ({
  limit: size,
  offset: (page - 1) * size,
});

/** The `page` search parameter; the first page has none. */
export const toPageParam = (page: number): number | undefined => (page > 1 ? page : undefined);
