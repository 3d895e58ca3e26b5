import { useQueries, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/query.ts';

const MAX = 100;

/** The tags to suggest: the most used ones, and those similar to the entered ones. */
export const useKnownTags = (entered: readonly string[]): readonly string[] => {
  const common = useQuery(apiQuery('/tags', { query: { limit: MAX } })).data;
  const listed = common?.data.map(({ tag }) => tag) ?? [];
  const others = common?.pagination.has_more ? entered.filter((tag) => !listed.includes(tag)) : [];
  const alike = useQueries({
    queries: others.map((search) => apiQuery('/tags', { query: { search, limit: MAX } })),
  });
  const found = alike.flatMap(({ data }) => data?.data.map(({ tag }) => tag) ?? []);
  return [...new Set([...listed, ...found])];
};
