import type { Migration } from './migration.ts';

/** Samples of the columns are read from the rows of an import and no longer stored, so that deleting a contact need not
 *  lock the imports that mention it. */
export const importSamples: Migration = {
  name: 'no stored samples of imported columns',
  statements: (engine) => [
    engine === 'sqlite'
      ? `update imports set columns = (
          select json_group_array(json_set(value, '$.samples', json('[]')) order by key) from json_each(columns))`
      : `update imports set columns = coalesce((
          select jsonb_agg(jsonb_set(value, '{samples}', '[]') order by at)
          from jsonb_array_elements(columns::jsonb) with ordinality as each (value, at)), '[]')::text`,
  ],
};
