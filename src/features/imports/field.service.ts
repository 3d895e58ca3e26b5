import type { Db } from '../../db/db.ts';
import { read } from '../../db/operation.ts';
import { conflict } from '../../lib/errors.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { fieldsOf } from '../fields/field.store.ts';
import type { Definitions } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';
import { type Column, type ImportFields, isActive, keyOf, NO_FIELDS } from './field.columns.ts';

/** What the cells of a new file are read with. */
export const importFields = read(
  'importFields',
  async (db: Db, principal: Principal): Promise<ImportFields> => ({
    definitions: await fieldsOf(db, principal.workspace),
    zone: await timeZoneOf(db, principal),
  }),
);

/** In the columns of an import of which one is mapped to a field. */
const MAPPED = '"field":"fields.';

/** The fields of an import. Nothing is read if no column has one. */
export const fieldsOfImport = async (
  db: Db,
  principal: Principal,
  record: { readonly columns: string },
  read: (db: Db, workspace: number) => MaybePromise<Definitions> = fieldsOf,
): Promise<ImportFields> => {
  if (!record.columns.includes(MAPPED)) return NO_FIELDS;
  const definitions = await read(db, principal.workspace);
  return { definitions, zone: await timeZoneOf(db, principal) };
};

/** Only the fields that can have new values. */
export const withoutArchived = ({ definitions, zone }: ImportFields): ImportFields => ({
  definitions: new Map([...definitions].filter(([, field]) => isActive(field))),
  zone,
});

/** The fields of the columns must still accept values. */
export const assertFieldsUsable = async (
  db: Db,
  principal: Principal,
  record: { readonly columns: string },
): Promise<void> => {
  const { definitions } = withoutArchived(await fieldsOfImport(db, principal, record));
  const lost = (JSON.parse(record.columns) as Column[]).find((column) => {
    const key = keyOf(column);
    return key !== undefined && !definitions.has(key);
  });
  if (lost)
    throw conflict(
      `The field ${keyOf(lost)} was archived or removed since this plan. Map the column ${JSON.stringify(lost.name)} again.`,
    );
};
