import assert from 'node:assert/strict';
import { type ContactRow, rowOf } from '../../src/features/contacts/contact.store.ts';
import { makeContact, newPhone } from './factories.ts';
import type { Json, TestService } from './service.ts';

/** Changes columns of a stored contact from outside, and all that is made from them, as no operation would. */
export const rewriteContact = async (
  { database }: TestService,
  id: string,
  changes: Partial<ContactRow>,
): Promise<void> => {
  const [found] = await database.query('select * from contacts where id = ?', id);
  const before = found as unknown as ContactRow & { seq: number };
  const { search_text, search_phone, wire } = rowOf({ ...before, ...changes });
  const changed = { ...changes, search_text, search_phone, wire };
  const columns = Object.keys(changed).map((column) => `${column} = ?`);
  await database.query(`update contacts set ${columns} where id = ?`, ...Object.values(changed), id);
  if (database.database.engine === 'postgres') return;
  const place = [before.workspace_id, before.seq];
  await database.query(
    `insert into contacts_search (contacts_search, rowid, text, phone) values ('delete', ? << 40 | ?, ?, ?)`,
    ...place,
    before.search_text,
    before.search_phone,
  );
  await database.query(
    'insert into contacts_search (rowid, text, phone) values (? << 40 | ?, ?, ?)',
    ...place,
    search_text,
    search_phone,
  );
};

/** +14155550132 as it is written at home: (415) 555-0132. */
export const national = (phone: string): string =>
  `(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`;

export interface Legacy {
  /** The contact as a get answers it. */
  readonly contact: Json;
  /** The international form of the number that it displays. */
  readonly displayed: string;
  /** The normalized number under which it is known. */
  readonly identity: string | null;
}

/** Makes a contact of the time before the phone rule. It displays a national number; the normalized one was derived
 *  from it, or is another one and conflicts, or there is none. */
export const makeLegacy = async (
  service: TestService,
  kind: 'derived' | 'conflicting' | 'none',
  fields: Record<string, unknown> = {},
): Promise<Legacy> => {
  const displayed = newPhone();
  const identity = { derived: displayed, conflicting: newPhone(), none: null }[kind];
  const { id } = await makeContact(service, fields);
  await rewriteContact(service, id, {
    phone_number: national(displayed),
    phone_identity: identity,
    phone_conflict: kind === 'conflicting' ? 1 : 0,
  });
  const reply = await service.get(`/v1/contacts/${id}`);
  assert.equal(reply.status, 200, reply.text);
  return { contact: reply.body.data, displayed, identity };
};
