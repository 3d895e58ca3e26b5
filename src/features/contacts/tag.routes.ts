import { routesOf } from '../../http/pipeline/route.ts';
import * as s from '../../lib/schemas.ts';
import { needs } from '../workspaces/access.ts';
import { listTags, tagQuery } from './tag.service.ts';

const route = routesOf(needs('contacts:read'));

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
