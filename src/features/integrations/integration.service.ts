import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { notFound } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { change } from '../../records/change.ts';
import { mergeCrmIds } from '../contacts/contact.crm.ts';
import { lockOrCreateContact } from '../contacts/contact.seen.ts';
import { changeContact, fullJson } from '../contacts/contact.service.ts';
import { assertRotatable, graceEnd, isAccepted, type RotationBody } from '../workspaces/grace-period.ts';
import { addHook, removeHook, workspaceOfHook } from '../workspaces/hook.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { WebhookContact } from './integration.schema.ts';
import * as store from './integration.store.ts';

export const integrationId = typeId('integration');

export const createIntegration = write(
  'createIntegration',
  async (
    db: Db,
    principal: Principal,
    { id, name, secret_hash }: { id: string; name: string; secret_hash: string },
  ) => {
    const { workspace } = principal;
    const created_at = timestamp();
    await db.run(store.insertIntegration, { workspace_id: workspace, id, name, secret_hash, created_at });
    await addHook(db, { id, workspace_id: workspace });
    change(db, principal, { action: 'integration.created', subject: id });
    return { id, name, old_secret_expires_at: null, created_at };
  },
);

export const listIntegrations = longRead('listIntegrations', async (db: Db, { workspace }: Principal) =>
  db.all(store.listIntegrationRows, { workspace }),
);

export const deleteIntegration = write(
  'deleteIntegration',
  async (db: Db, principal: Principal, input: { id: string }): Promise<void> => {
    const { workspace } = principal;
    const id = integrationId.parse(input.id);
    if (!id || (await db.run(store.deleteIntegrationRow, { workspace, id })) === 0)
      throw notFound('integration');
    await removeHook(db, id);
    change(db, principal, { action: 'integration.deleted', subject: id });
  },
);

const lockIntegration = async (db: Db, { workspace }: Principal, input: { id: string }) => {
  const id = integrationId.parse(input.id);
  const found = id && (await db.get(store.selectIntegrationForUpdate, { workspace, id }));
  if (!found) throw notFound('integration');
  return found;
};

export const renameIntegration = write(
  'renameIntegration',
  async (db: Db, principal: Principal, { name, ...which }: { id: string; name: string }) => {
    const { id, old_secret_expires_at, created_at } = await lockIntegration(db, principal, which);
    await db.run(store.setNameRow, { workspace_id: principal.workspace, id, name });
    change(db, principal, { action: 'integration.updated', subject: id, fields: ['name'] });
    return { id, name, old_secret_expires_at, created_at };
  },
);

/** The old secret is accepted until the grace period ends. */
export const rotateIntegrationSecret = write(
  'rotateIntegrationSecret',
  async (
    db: Db,
    principal: Principal,
    {
      secret_hash,
      grace_hours,
      replace_new = false,
      ...which
    }: RotationBody & { id: string; secret_hash: string },
  ) => {
    const before = await lockIntegration(db, principal, which);
    const { id, name, created_at } = before;
    assertRotatable(before.old_secret_expires_at, replace_new);
    const keepsOld = replace_new && isAccepted(before.old_secret_expires_at);
    const old_secret_expires_at = graceEnd(grace_hours);
    const old = keepsOld ? before.old_secret_hash : before.secret_hash;
    await db.run(store.setSecretRow, {
      workspace_id: principal.workspace,
      id,
      secret_hash,
      old_secret_hash: old_secret_expires_at === null ? null : old,
      old_secret_expires_at,
    });
    change(db, principal, { action: 'integration.secret_rotated', subject: id });
    return { id, name, old_secret_expires_at, created_at };
  },
);

export const revokeOldIntegrationSecret = write(
  'revokeOldIntegrationSecret',
  async (db: Db, principal: Principal, which: { id: string }) => {
    const { id, name, created_at, secret_hash } = await lockIntegration(db, principal, which);
    const none = { old_secret_hash: null, old_secret_expires_at: null };
    await db.run(store.setSecretRow, { workspace_id: principal.workspace, id, secret_hash, ...none });
    change(db, principal, { action: 'integration.old_secret_revoked', subject: id });
    return { id, name, old_secret_expires_at: null, created_at };
  },
);

export const acceptedHashes = ({
  secret_hash,
  old_secret_hash,
  old_secret_expires_at,
}: Pick<store.IntegrationRow, 'secret_hash' | 'old_secret_hash' | 'old_secret_expires_at'>): string[] =>
  old_secret_hash !== null && isAccepted(old_secret_expires_at)
    ? [secret_hash, old_secret_hash]
    : [secret_hash];

/** Finds the integration of a hook by its id alone, to authenticate the caller. */
export const findHookIntegration = read(
  'findHookIntegration',
  async (db: Db, _: null, input: { id: string }) => {
    const id = integrationId.parse(input.id);
    return id ? db.get(store.findIntegration, { workspace: await workspaceOfHook(db, id), id }) : undefined;
  },
);

/** Updates the contact with this number, or creates it. */
export const receiveContact = write(
  'receiveContact',
  async (
    db: Db,
    principal: Principal,
    { crm_ids, ...fields }: WebhookContact,
  ): Promise<{ action: 'created' | 'updated'; id: string; json: string }> => {
    const { contact, isNew } = await lockOrCreateContact(db, principal, { source: 'webhook', fields });
    const { phone_number: _, ...profile } = fields;
    const changed = isNew ? contact : await changeContact(db, principal, contact, profile);
    const linked = crm_ids ? await mergeCrmIds(db, principal, changed, crm_ids) : changed;
    return { action: isNew ? 'created' : 'updated', id: linked.id, json: fullJson(linked).json };
  },
);
