import {
  flagParam,
  pageParam,
  type RawSearch,
  sizeParam,
  sortParam,
  textParam,
} from '../../../lib/search-params.ts';

export interface TagsSearch {
  readonly search?: string | undefined;
  /** Only tags that differ from another one only by case or accents. */
  readonly similar?: true | undefined;
  readonly sort?: 'name' | '-name' | 'count' | '-count' | undefined;
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  /** The tag whose dialog is open. */
  readonly rename?: string | undefined;
  readonly merge?: string | undefined;
  readonly remove?: string | undefined;
}

export const parseTagsSearch = (raw: RawSearch): TagsSearch => ({
  search: textParam(raw.search),
  similar: flagParam(raw.similar),
  sort: sortParam(['name', 'count'] as const, raw.sort),
  page: pageParam(raw.page),
  size: sizeParam(raw.size),
  rename: textParam(raw.rename),
  merge: textParam(raw.merge),
  remove: textParam(raw.remove),
});
