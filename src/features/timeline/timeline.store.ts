import { sql } from 'kysely';
import { rowsOf } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import type { NewContactRow } from '../contacts/contact.store.ts';

export type Creation = Pick<NewContactRow, 'id' | 'created_at' | 'created_by' | 'source'>;

export const findCreation = rowsOf<NewContactRow>({ table: 'contacts' }).find([
  'id',
  'created_at',
  'created_by',
  'source',
]);

type CallRange = Record<'workspace' | 'limit', number> & Record<'contact' | 'medium' | 'at' | 'id', string>;

/** The calls or the messages of a contact, the last started first. */
export const listCallIds = statement(
  ({ workspace, contact, medium, at, id, limit }: CallRange) => sql<{ at: string; id: string }>`
    select started_at as at, id from calls
    where workspace_id = ${workspace} and contact_id = ${contact} and medium = ${medium}
    and (started_at, id) < (${at}, ${id})
    order by started_at desc, id desc limit ${limit}`,
);
