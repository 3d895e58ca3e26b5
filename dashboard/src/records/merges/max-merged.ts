/** The maximum number of contacts in one merge. */
export const MAX_MERGED = 10;
