import type { Db } from '../../db/db.ts';
import { read } from '../../db/operation.ts';
import { conflict, forbidden } from '../../lib/errors.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { findContext } from '../agents/render.store.ts';
import { contextOf } from '../agents/variable.service.ts';
import { findListedCampaign } from '../campaigns/campaign.store.ts';
import { createField } from '../fields/field.service.ts';
import { fieldsOf } from '../fields/field.store.ts';
import type { Definitions } from '../fields/field.values.ts';
import { isKey, isKeyWithout, type Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';
import { type Column, type ImportFields, isActive, keyOf, withCreated } from './field.columns.ts';
import type { NewField } from './import.schema.ts';
import type { ImportRecord } from './import.store.ts';

/** The variables that a campaign's agent declares; none if the campaign was deleted. */
export const declaredFor = async (db: Db, { workspace }: Principal, id: string | null) => {
  if (id === null) return undefined;
  const agent = (await db.get(findListedCampaign, { workspace, id }))?.agent_id ?? '';
  return contextOf(await db.get(findContext, { workspace, agent })).declared;
};

/** What the cells of a new file are read with. */
export const importFields = read(
  'importFields',
  async (db, principal: Principal, campaign: string | null) => ({
    declared: await declaredFor(db, principal, campaign),
    definitions: await fieldsOf(db, principal.workspace),
    zone: await timeZoneOf(db, principal),
  }),
);

/** The fields of an import; before it is applied, also those that it will create. */
export const fieldsOfImport = async (
  db: Db,
  principal: Principal,
  record: Pick<ImportRecord, 'columns' | 'state'>,
  read: (db: Db, workspace: number) => MaybePromise<Definitions> = fieldsOf,
): Promise<ImportFields> => {
  const stored = await read(db, principal.workspace);
  const isPlan = record.state === 'planning' || record.state === 'planned';
  const definitions = isPlan ? withCreated(stored, JSON.parse(record.columns) as Column[]) : stored;
  return { definitions, zone: await timeZoneOf(db, principal) };
};

/** Only the fields that can have new values. */
export const withoutArchived = ({ definitions, zone }: ImportFields): ImportFields => ({
  definitions: new Map([...definitions].filter(([, field]) => isActive(field))),
  zone,
});

/** Only those who change the workspace's fields can create some with an import. */
export const assertMayCreateFields = (principal: Principal, fields: readonly NewField[]): void => {
  const isMember = !isKey(principal) && 'role' in principal && principal.role !== 'owner';
  if (fields.length === 0 || !(isMember || isKeyWithout(principal, 'admin'))) return;
  const named = fields.map(({ key }) => key).join(', ');
  throw forbidden(
    isMember
      ? `Only owners can create contact fields. Ask an owner to create ${named}, or leave these columns out.`
      : `Creating contact fields (${named}) also requires the scope admin. Use a key that has it, or ask an owner to create them.`,
    isMember ? undefined : { required_scope: 'admin' },
  );
};

/** Creates the fields that the columns of an import need. Those of all other columns must still accept values. */
export const createFields = async (
  db: Db,
  principal: Principal,
  record: { readonly columns: string },
): Promise<void> => {
  const columns = JSON.parse(record.columns) as Column[];
  const definitions = await fieldsOf(db, principal.workspace);
  for (const { field, creates, name } of columns) {
    const key = keyOf({ field });
    const known = definitions.get(key ?? '');
    const isUsable = known
      ? isActive(known) && (!creates || creates.type === known.type)
      : creates !== undefined;
    if (key !== undefined && !isUsable)
      throw conflict(
        `The field ${key} was archived, removed or created with another type since this plan. Map the column ${JSON.stringify(name)} again.`,
      );
  }
  const created = columns.flatMap(({ creates }) =>
    creates && !definitions.has(creates.key) ? [creates] : [],
  );
  assertMayCreateFields(principal, created);
  for (const field of created) await createField(db, principal, field);
};
