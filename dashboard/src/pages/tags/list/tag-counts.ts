import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/query.ts';
import type { TagCount } from '../../../api/types.gen.ts';

const MAX = 100;
const MAX_LENGTH = 64;

/** The tags that contain a text; undefined while they load. */
export const useTagsLike = (text: string): readonly TagCount[] | undefined => {
  const query = useQuery({
    ...apiQuery('/tags', { query: { search: [...text].slice(0, MAX_LENGTH).join(''), limit: MAX } }),
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
