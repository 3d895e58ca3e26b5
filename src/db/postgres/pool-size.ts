/** Connections of one instance, without its health check. */
export const DEFAULT_POOL_SIZE = 12;
/** Two connections for short reads (see pipelined-connections.ts), one for long reads and one for writes. */
export const MIN_POOL_SIZE = 4;
export const MAX_POOL_SIZE = 200;

const SHORT_READS = 2;
const LONG_READ_SHARE = 0.6;

/** How many connections long reads may use. The others stay free for writes. */
export const maxLongReads = (poolSize: number): number =>
  Math.max(1, Math.floor((poolSize - SHORT_READS) * LONG_READ_SHARE));
