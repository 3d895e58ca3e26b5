import { sql } from 'kysely';
import { namesOf, number, rowsOf, text, textOrNull } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';

const columns = {
  workspace_id: number,
  /** Its key is encrypted for it. A new key gets a new id. */
  id: text,
  url: text,
  model: text,
  key_sealed: textOrNull,
};
export type ChatModelRow = typeof columns;
const COLUMNS = namesOf(columns);

const models = rowsOf<ChatModelRow>({ table: 'chat_models' });
const only = { by: {} };

export const find = models.find(COLUMNS, only);
export const lock = models.lock(COLUMNS, only);
export const remove = models.removeBy(only);

export const upsert = statement(
  ({ workspace_id, id, url, model, key_sealed }: ChatModelRow) => sql<never>`
    insert into chat_models (workspace_id, id, url, model, key_sealed)
    values (${workspace_id}, ${id}, ${url}, ${model}, ${key_sealed})
    on conflict (workspace_id) do update
    set id = excluded.id, url = excluded.url, model = excluded.model, key_sealed = excluded.key_sealed`,
);
