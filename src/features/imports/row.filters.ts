import { sql } from 'kysely';
import { addContactFilter } from '../contacts/contact.filters.ts';
import { importId } from './plan.service.ts';

/** Adds the filter by import to the list of contacts. */
export const addImportFilter = (): void =>
  addContactFilter('import', {
    where: (id, { workspace, table }) => sql`exists (select 1 from import_rows
      where import_rows.workspace_id = ${workspace} and import_rows.contact_id = ${sql.ref(`${table}.id`)}
      and import_rows.import_id = ${id} and import_rows.effect in ('created', 'updated', 'edited_since'))`,
    parse: (id) => importId.parse(id) ?? id,
  });
