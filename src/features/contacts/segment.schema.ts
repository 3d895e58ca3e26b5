import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { activitySorts, listSorts } from './contact.schema.ts';
import { filterTree } from './filter.tree.ts';

const MAX_COLUMNS = 50;

const fields = {
  name: v.text({ min: 1, max: 100, schema: { description: 'Its name.', examples: ['Gold customers'] } }),
  filter: filterTree,
  sort: v.described(
    v.nullable(v.oneOf([...listSorts, ...activitySorts])),
    'The order in which the dashboard lists its contacts; `null` for newest first.',
  ),
  columns: v.described(
    v.nullable(
      v.uniqueStrings(v.text({ min: 1, max: 64, schema: { examples: ['company'] } }), MAX_COLUMNS, {}),
    ),
    'The columns of the list in the dashboard; `null` for its default.',
  ),
  shared: v.boolean({
    description:
      'Whether everyone in the workspace sees it. Default: false. A segment of an API key is always shared.',
    examples: [true],
  }),
};
const ignored = ['id', 'own', 'created_at', 'updated_at'];

export const segmentCreate = v.object(fields, {
  title: 'SegmentCreate',
  required: ['name', 'filter'],
  ignored,
});
export type SegmentCreate = ReturnType<typeof segmentCreate.read>;

export const segmentUpdate = v.object(fields, { title: 'SegmentUpdate', ignored });
export type SegmentUpdate = ReturnType<typeof segmentUpdate.read>;

export const segmentQuery = v.object(pageFields);

export const segmentSchema = s.object('Segment', {
  id: s.string(),
  name: s.string(),
  filter: filterTree.schema,
  sort: fields.sort.schema,
  columns: fields.columns.schema,
  shared: s.boolean('Whether everyone in the workspace sees it.'),
  own: s.boolean('Whether the caller has created it.'),
  created_at: s.dateTime('When the segment was created.'),
  updated_at: s.dateTime('When the segment was last changed.'),
});

export const segmentCountSchema = s.object('SegmentCount', {
  count: s.count('How many contacts match now.'),
});
