import { sql } from 'kysely';
import { statementsOver } from '../../db/statement.ts';
import type { Source } from '../contacts/contact.schema.ts';

const statement = statementsOver<object>();

export type Creation = { id: string; created_at: string; created_by: string | null; source: Source };

export const findCreation = statement(
  (_, { workspace, id }: { workspace: number; id: string }) => sql<Creation>`
    select id, created_at, created_by, source from contacts where workspace_id = ${workspace} and id = ${id}`,
);

export type CallRange = {
  workspace: number;
  contact: string;
  medium: string;
  at: string;
  id: string;
  limit: number;
};

/** The calls or the messages of a contact, the last started first. */
export const listCallIds = statement(
  (_, { workspace, contact, medium, at, id, limit }: CallRange) => sql<{ at: string; id: string }>`
    select started_at as at, id from calls
    where workspace_id = ${workspace} and contact_id = ${contact} and medium = ${medium}
    and (started_at, id) < (${at}, ${id})
    order by started_at desc, id desc limit ${limit}`,
);
