import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { pickColumns } from '../../db/statement.ts';
import { timestamp } from '../../lib/clock.ts';
import { existing } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import type { Action } from '../../records/actions.ts';
import { change } from '../../records/change.ts';
import { mergeCrmIds } from '../contacts/contact.crm.ts';
import { lockOrCreateContact } from '../contacts/contact.seen.ts';
import { changeContact, fullJson } from '../contacts/contact.service.ts';
import { fieldsFor } from '../fields/field.store.ts';
import { deleteHook, insertHook, workspaceOfHook } from '../workspaces/hook.store.ts';
import type { ById, Principal } from '../workspaces/principal.ts';
import { secretOperations } from '../workspaces/secret.operations.ts';
import type { WebhookContact } from './integration.schema.ts';
import * as store from './integration.store.ts';

export const integrationId = typeId('integration');

export const createIntegration = write(
  'createIntegration',
  async (
    db,
    principal: Principal,
    { id, name, secret_hash }: { id: string; name: string; secret_hash: string },
  ) => {
    const { workspace } = principal;
    const created_at = timestamp();
    await db.run(store.insertIntegration, { workspace_id: workspace, id, name, secret_hash, created_at });
    await db.run(insertHook, { id, workspace_id: workspace });
    change(db, principal, { action: 'integration.created', subject: id });
    return { id, name, old_secret_expires_at: null, created_at };
  },
);

export const listIntegrations = longRead('listIntegrations', async (db, { workspace }: Principal) =>
  db.all(store.listIntegrationRows, { workspace }),
);

export const getIntegration = read('getIntegration', async (db, { workspace }: Principal, { id }: ById) => {
  const key = { workspace, id: integrationId.require(id) };
  return pickColumns(existing('integration', await db.get(store.findIntegration, key)), store.SHOWN);
});

const lockIntegration = async (db: Db, { workspace }: Principal, { id }: ById) => {
  const key = { workspace, id: integrationId.require(id) };
  return existing('integration', await db.get(store.lockIntegration, key));
};

export const deleteIntegration = write('deleteIntegration', async (db, principal: Principal, which: ById) => {
  const { id } = await lockIntegration(db, principal, which);
  await db.run(store.deleteIntegration, { workspace: principal.workspace, id });
  await db.run(deleteHook, { id });
  change(db, principal, { action: 'integration.deleted', subject: id });
});

const changeIntegration = async (
  db: Db,
  principal: Principal,
  { id, ...entry }: { id: string; action: Action; fields?: string[] },
  next: (before: store.IntegrationRow) => Partial<store.IntegrationRow>,
) => {
  const before = await lockIntegration(db, principal, { id });
  const row = { ...before, ...next(before) };
  await db.run(store.updateIntegration, row);
  const values = { before: { name: before.name }, after: { name: row.name } };
  change(db, principal, { ...entry, subject: row.id, values });
  return pickColumns(row, store.SHOWN);
};

export const updateIntegration = write(
  'updateIntegration',
  async (db, principal: Principal, { id, name }: { id: string; name: string }) =>
    changeIntegration(db, principal, { id, action: 'integration.updated', fields: ['name'] }, () => ({
      name,
    })),
);

export const { rotate: rotateIntegrationSecret, revoke: revokeOldIntegrationSecret } = secretOperations({
  kind: 'integration',
  columns: ['secret_hash'],
  change: changeIntegration,
});

/** Finds the integration of a hook by its id alone, to authenticate the caller. */
export const findHookIntegration = read('findHookIntegration', async (db, _: null, input: ById) => {
  const id = integrationId.parse(input.id);
  return id ? db.get(store.findIntegration, { workspace: await workspaceOfHook(db, id), id }) : undefined;
});

/** Updates the contact with this number, or creates it. */
export const receiveContact = write(
  'receiveContact',
  async (db, principal: Principal, { crm_ids, ...fields }: WebhookContact) => {
    const definitions = await fieldsFor(db, principal, [fields]);
    const input = { source: 'webhook', fields } as const;
    const { contact, isNew } = await lockOrCreateContact(db, principal, input, { definitions });
    const { phone_number: _, ...profile } = fields;
    const changed = isNew ? contact : await changeContact(db, principal, contact, profile, definitions);
    const linked = crm_ids ? await mergeCrmIds(db, principal, changed, crm_ids) : changed;
    return { action: isNew ? 'created' : 'updated', id: linked.id, json: fullJson(linked).json };
  },
);
