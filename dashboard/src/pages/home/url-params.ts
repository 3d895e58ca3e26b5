import { enumParam, type RawSearch } from '../../app/search-params.ts';

export interface HomeSearch {
  /** How many days the plots go back; 30 need no word in the address. */
  readonly days?: '90' | undefined;
}

/** What the address of the page holds. */
export const parseHomeSearch = (raw: RawSearch): HomeSearch => ({
  days: enumParam(['90'] as const, raw.days),
});
