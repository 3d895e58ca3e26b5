import { sql } from 'kysely';
import type { Scope } from '../../records/list.declaration.ts';
import { addContactFilter } from '../contacts/filter.conditions.ts';
import { importId } from './plan.service.ts';

const imported = ({ workspace, table }: Scope, condition = sql``) => sql`exists (select 1 from import_rows
  where import_rows.workspace_id = ${workspace} and import_rows.contact_id = ${sql.ref(`${table}.id`)} ${condition}
  and import_rows.effect in ('created', 'updated', 'edited_since'))`;

/** Adds the filters by import to the list of contacts. */
export const addImportFilter = (): void => {
  addContactFilter('import', {
    where: (id, contact) => imported(contact, sql`and import_rows.import_id = ${id}`),
    parse: (id) => importId.parse(id) ?? id,
  });
  addContactFilter('imported', { where: (_, contact) => imported(contact) });
};
