import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/query.ts';
import type { TagCount } from '../../../api/types.gen.ts';

const MAX = 100;
const MAX_LENGTH = 64;

const searchQuery = (text: string) =>
  apiQuery('/tags', { query: { search: [...text].slice(0, MAX_LENGTH).join('') || undefined, limit: MAX } });

/** The tags that contain a text, or the most used ones without a text; undefined while they load. */
export const useTagSearch = (text: string): readonly TagCount[] | undefined =>
  useQuery({ ...searchQuery(text), placeholderData: keepPreviousData }).data?.data;

/** The tags that contain a text, none without a text; undefined while they load. */
export const useTagsLike = (text: string): readonly TagCount[] | undefined => {
  const query = useQuery({
    ...searchQuery(text),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
  return text === '' ? [] : query.data?.data;
};

/** How many contacts have a tag; undefined while it loads. */
export const useTagCount = (tag: string): number | undefined => {
  const count = useQuery(apiQuery('/contacts', { query: { tag, limit: 1 } }));
  return count.data?.pagination.total;
};
