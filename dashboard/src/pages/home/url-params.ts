import { enumParam, type RawSearch } from '../../lib/search-params.ts';

export interface HomeSearch {
  /** How many days the charts show; 30 has no parameter. */
  readonly days?: '90' | undefined;
}

export const parseHomeSearch = (raw: RawSearch): HomeSearch => ({
  days: enumParam(['90'] as const, raw.days),
});
