import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';

/** The lists that have views. Those of contacts are segments. */
const viewLists = ['calls', 'campaigns', 'audit'] as const;

const PARAMETER = /^[a-z_]{1,40}$/;

/** The parameters of the address of a list. A page and a view are no part of a view. */
const queryProblem = (query: string): string | undefined => {
  const names = [...new URLSearchParams(query).keys()];
  const invalid = names.find((name) => !PARAMETER.test(name) || name === 'page' || name === 'view_id');
  return invalid === undefined
    ? undefined
    : 'must be parameters of the list without page and view_id, for example status=draft&sort=name.';
};

const fields = {
  name: v.text({
    min: 1,
    max: 100,
    schema: { description: 'The name of the view.', examples: ['Missed calls'] },
  }),
  query: v.text({
    max: 2_000,
    check: queryProblem,
    schema: {
      description: 'The parameters of the address of the list, such as `status=draft&sort=name`.',
      examples: ['status=draft&sort=name'],
    },
  }),
  shared: v.boolean({
    description: 'Whether all members of the workspace see it. Default: false.',
    examples: [true],
  }),
};

export const viewCreate = v.object(
  { list: v.oneOf(viewLists), ...fields },
  { title: 'ViewCreate', required: ['list', 'name', 'query'] },
);
export type ViewCreate = ReturnType<typeof viewCreate.read>;

export const viewUpdate = v.object(fields, { title: 'ViewUpdate' });
export type ViewUpdate = ReturnType<typeof viewUpdate.read>;

export const viewQuery = v.object({ list: v.described(v.oneOf(viewLists), 'Only views of this list.') });
export type ViewQuery = ReturnType<typeof viewQuery.read>;

export const viewSchema = s.object('View', {
  id: s.string(),
  list: s.oneOf(viewLists),
  name: s.string(),
  query: s.string(),
  shared: s.boolean(),
  own: s.boolean('Whether the user has created it, and may change it.'),
  created_at: s.dateTime('When the view was created.'),
  updated_at: s.dateTime('When the view was last changed.'),
});
