import type { Campaign } from '../../api/types.gen.ts';

export const totalOf = (enrolled: Campaign['enrolled']): number =>
  Object.values(enrolled).reduce((sum, count) => sum + count, 0);
