/** The service merges at most so many contacts at once. */
export const MAX_MERGED = 10;
