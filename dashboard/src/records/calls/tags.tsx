import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';

/** The tags that calls have; undefined while they load. */
export const useCallTags = () => useQuery(apiQuery('/calls/tags')).data?.data;

export const CallTags = ({ tags }: { readonly tags: readonly string[] }) => (
  <span className="flex min-w-0 flex-wrap gap-1">
    {tags.map((tag) => (
      <Badge key={tag}>{tag}</Badge>
    ))}
  </span>
);
