import { routesOf } from '../../http/pipeline/route.ts';
import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { needs } from '../workspaces/access.ts';
import { listTags, tagSorts } from './tag.service.ts';

const route = routesOf(needs('contacts:read'));

const tagQuery = v.object({
  ...pageFields,
  search: v.text({ max: 64, schema: { description: 'Matches part of the tag. Ignores case and accents.' } }),
  sort: v.described(v.oneOf(tagSorts), 'The order of the list; `-` reverses it. Default: most used first.'),
  similar: v.described(
    v.oneOf(['true', 'false']),
    'Whether to list only tags that differ from another one only by case or accents.',
  ),
});

export const tagRoutes = {
  'GET /v1/tags': route({
    run: listTags,
    summary: 'List tags',
    description: 'The tags of contacts, most used first unless `sort` says otherwise.',
    query: tagQuery,
    data: s.object('TagCount', {
      tag: s.string(),
      count: s.count('Number of contacts with the tag.'),
    }),
    list: true,
  }),
};
