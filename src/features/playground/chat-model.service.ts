import { read, write } from '../../db/operation.ts';
import { conflict, invalidField } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { change } from '../../records/change.ts';
import { encryptedColumns } from '../workspaces/encrypted-columns.ts';
import { assertKeyCheck } from '../workspaces/key-check.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as store from './chat-model.store.ts';
import type { ChatModelInput } from './playground.schema.ts';

export const chatModelId = typeId('chat_model');

const modelOf = ({ url, model, key_sealed }: store.ChatModelRow) => ({
  url,
  model,
  has_key: key_sealed !== null,
});

/** Null while chats are off. */
export const getChatModel = read('getChatModel', async (db, { workspace }: Principal) => {
  const found = await db.get(store.find, { workspace });
  return found ? modelOf(found) : null;
});

/** The stored model, with its encrypted key. */
export const requireChatModel = read(
  'requireChatModel',
  async (db, { workspace }: Principal): Promise<store.ChatModelRow> => {
    const found = await db.get(store.find, { workspace });
    if (found) return found;
    throw conflict('This workspace has no chat model. An owner sets one in the settings of the workspace.');
  },
);

/** A key that is encrypted already, or null for none. Without it, the stored one stays. */
type NewKey = { readonly key?: { readonly sealed: string; readonly check: string } | null };
type NewModel = Omit<ChatModelInput, 'api_key'> & NewKey & { readonly id: string };

/** A stored key is never sent to another URL: whoever changes the URL must know the key. */
export const setChatModel = write(
  'setChatModel',
  async (db, principal: Principal, { id, url, model, key }: NewModel) => {
    const { workspace } = principal;
    if (key) await assertKeyCheck(db, key.check);
    const before = await db.get(store.lock, { workspace });
    if (key === undefined && before?.key_sealed && before.url !== url)
      throw invalidField('api_key', 'must be sent again, because the URL is another one.');
    const kept = key === undefined && before ? before : { id, key_sealed: key?.sealed ?? null };
    const next = { workspace_id: workspace, url, model, id: kept.id, key_sealed: kept.key_sealed };
    await db.run(store.upsert, next);
    const changed = [
      ...(before?.url === url ? [] : ['chat_url']),
      ...(before?.model === model ? [] : ['chat_model']),
      ...((before?.key_sealed ?? null) === next.key_sealed ? [] : ['chat_key']),
    ];
    if (changed.length > 0) change(db, principal, { action: 'settings.updated', fields: changed });
    return modelOf(next);
  },
);

/** Turns chats off and forgets the key. */
export const deleteChatModel = write('deleteChatModel', async (db, principal: Principal) => {
  const removed = await db.run(store.remove, { workspace: principal.workspace });
  const fields = ['chat_url', 'chat_model', 'chat_key'];
  if (removed > 0) change(db, principal, { action: 'settings.updated', fields });
});

export const chatModelEncryption = encryptedColumns({
  table: 'chat_models',
  columns: ['key_sealed'],
  since: 42,
  operations: ['listEncryptedChatKeys', 'replaceEncryptedChatKeys'],
});
