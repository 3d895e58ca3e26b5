import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { apiQuery, queryClient } from '../api/query.ts';
import { plural } from '../lib/i18n.ts';
import type { Option } from '../ui/option-list.tsx';

const MAX = 100;
const MAX_SUGGESTIONS = 20;

export interface KnownTag {
  readonly tag: string;
  /** How many contacts have it; undefined for tags of other records. */
  readonly count?: number;
}

const tagsLike = (search: string) => apiQuery('/tags', { query: { search, limit: MAX } });

/** The most used tags, and those similar to the entered ones and to the typed text. */
export const useKnownTags = (entered: readonly string[], typed: string): readonly KnownTag[] => {
  const common = useQuery(apiQuery('/tags', { query: { limit: MAX } })).data;
  const listed = common?.data ?? [];
  const hasMore = common?.pagination.has_more === true;
  const matching = useQuery({
    ...tagsLike(typed.trim()),
    enabled: hasMore && typed.trim() !== '',
    placeholderData: keepPreviousData,
  }).data;
  const others = hasMore ? entered.filter((tag) => !listed.some((each) => each.tag === tag)) : [];
  const alike = useQueries({ queries: others.map(tagsLike) });
  const found = alike.flatMap(({ data }) => data?.data ?? []);
  const all = [...listed, ...(matching?.data ?? []), ...found];
  return [...new Map(all.map((each) => [each.tag, each])).values()];
};

const withoutAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The tags that contain the typed text and are not chosen yet, with their numbers of contacts. */
export const tagOptions = (
  known: readonly KnownTag[],
  typed: string,
  chosen: readonly string[] = [],
): readonly Option[] =>
  known
    .filter(({ tag }) => !chosen.includes(tag) && withoutAccents(tag).includes(withoutAccents(typed.trim())))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ tag, count }) => ({
      value: tag,
      label: tag,
      ...(count !== undefined && { detail: plural(count, '# contact', '# contacts') }),
    }));

type Tags = Awaited<ReturnType<NonNullable<ReturnType<typeof tagsLike>['queryFn']>>>;

/** Whether no contact has the tag. Unknown while it is looked up, and if there are too many similar ones. */
const isMissing = (tag: string, found: Tags | undefined): boolean =>
  found !== undefined && !found.pagination.has_more && !found.data.some((each) => each.tag === tag);

/** Those of the tags that no contact has. */
export const useMissingTags = (tags: readonly string[]): readonly string[] => {
  const found = useQueries({ queries: tags.map(tagsLike) });
  return tags.filter((tag, at) => isMissing(tag, found[at]?.data));
};

/** Waits until all of the tags were looked up. */
export const areTagsKnown = async (tags: readonly string[]): Promise<boolean> => {
  const found = await Promise.all(tags.map((tag) => queryClient.fetchQuery(tagsLike(tag))));
  return tags.every((tag, at) => !isMissing(tag, found[at]));
};
