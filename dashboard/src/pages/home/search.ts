import { oneIn, type RawSearch } from '../../app/address.ts';

export interface HomeSearch {
  /** How many days the plots go back; 30 need no word in the address. */
  readonly days?: '90' | undefined;
}

/** What the address of the page holds. */
export const homeSearch = (raw: RawSearch): HomeSearch => ({ days: oneIn(['90'] as const, raw.days) });
