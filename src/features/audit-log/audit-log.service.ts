import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { type Page, pageOf, pageRequestOf } from '../../lib/page.ts';
import type { KeyScope } from '../../lib/scopes.ts';
import type { EntryRow } from '../../records/audit.store.ts';
import { equalTo } from '../../records/list.declaration.ts';
import { nameOf } from '../contacts/contact.schema.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import type { ActorKind, AuditLogQuery } from './audit-log.schema.ts';
import * as store from './audit-log.store.ts';

export interface Named {
  name: string | null;
  deleted: boolean;
}

/** Records whose names only keys with a scope see: emails of users, URLs of webhooks, and names or numbers of contacts. */
const NAME_SCOPES: Readonly<Record<string, KeyScope>> = {
  user: 'admin',
  webhook: 'admin',
  contact: 'contacts:read',
};

const isHidden = (principal: Principal, id: string): boolean => {
  const scope = NAME_SCOPES[id.slice(0, id.indexOf('_'))];
  return scope !== undefined && isKeyWithout(principal, scope);
};

/** The current names of records by their ids, as far as the caller may see them. */
export const findNames = async (db: Db, principal: Principal, ids: readonly string[]) => {
  const { workspace } = principal;
  const which = { workspace, keys: JSON.stringify([...new Set(ids)]) };
  const called = new Map<string, Named>();
  const set = (id: string, name: string | null, deleted = false) =>
    called.set(id, { name: isHidden(principal, id) ? null : name, deleted });
  for (const { id, name, deleted } of await db.all(store.namesOf, which)) set(id, name, deleted === 1);
  for (const { id, phone_number, ...names } of await db.all(store.contactsOf, which))
    set(id, nameOf(names) ?? phone_number);
  return called;
};

/** The prefix of an id names its kind. */
export const actorOf = (actor: string, called: ReadonlyMap<string, Named>) => {
  const [kind, rest] = actor.split('_');
  return rest === undefined
    ? { kind: actor as ActorKind, id: null, name: null, deleted: false }
    : { kind: kind as ActorKind, id: actor, ...(called.get(actor) ?? DELETED) };
};

const DELETED: Named = { name: null, deleted: true };

/** The stored fields and their values. `describe` gets the ids of records in values. */
const changedIn = ({ fields }: EntryRow, describe: (id: string) => unknown) => {
  const stored = JSON.parse(fields ?? 'null', (name, value) =>
    typeof value === 'string' && name.endsWith('_id') ? describe(value) : value,
  ) as string[] | { names: string[]; before: object; after: object } | null;
  const { names, ...values } = stored === null || Array.isArray(stored) ? { names: stored } : stored;
  return { names, values: 'before' in values ? values : null };
};

const entryOf = (principal: Principal, row: EntryRow, called: ReadonlyMap<string, Named>) => {
  const recordOf = (id: string | null) => (id === null ? null : { id, ...(called.get(id) ?? DELETED) });
  const { names, values } = changedIn(row, recordOf);
  return {
    at: row.at,
    actor: actorOf(row.actor, called),
    action: row.action,
    subject: recordOf(row.subject),
    parent: recordOf(row.parent),
    fields: names,
    changes: isHidden(principal, row.subject ?? '') ? null : values,
    counts: row.counts === null ? null : (JSON.parse(row.counts) as Record<string, number>),
    request_id: row.request_id,
    via: row.via,
  };
};
export type AuditEntry = ReturnType<typeof entryOf>;

/** Newest first, unless another order is asked for. */
export const listAuditEntries = longRead(
  'listAuditEntries',
  async (db, principal: Principal, query: AuditLogQuery): Promise<Page> => {
    const { workspace } = principal;
    const { actor, subject, action, since, before, sort } = query;
    const conditions = equalTo({ actor, subject, action, since, before });
    const plan = store.entryList.plan(conditions, sort ?? (since || before ? '-at' : 'changed'));
    const rows = await store.entryList.page(db, plan, store.entries, { workspace, ...pageRequestOf(query) });
    const ids = rows.flatMap((row) => [row.actor, row.subject ?? [], row.parent ?? []].flat());
    for (const row of rows) changedIn(row, (id) => ids.push(id));
    const called = await findNames(db, principal, ids);
    const total = await store.entryList.total(db, plan, workspace);
    return pageOf(
      rows.map((row) => entryOf(principal, row, called)),
      total,
    );
  },
);
