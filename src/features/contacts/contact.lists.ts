import { type RawBuilder, sql } from 'kysely';
import { counterSum } from '../../db/counters.ts';
import { pageOf } from '../../db/rows.ts';
import { contactsBySeq, type Needle, type PagedNeedle, pagedSearch, search } from '../../db/search.ts';
import { type Arguments, derivedStatement } from '../../db/statement.ts';
import type { View } from '../../records/list.declaration.ts';
import type { Plan } from '../../records/list.ts';
import { laterTexts } from './contact.schema.ts';
import type { StoredContact } from './contact.store.ts';
import { contactList } from './list.store.ts';

/* The lists of contacts: pages, searches, and walks through a selection. */

type PageArgs = { workspace: number; limit: number; offset: number };

/** The contacts with a lower `seq`. */
export const listAll = derivedStatement(
  ({ workspace, below, limit, offset, list }: PageArgs & { below: number; list: string }, dialect) =>
    pageOf(
      dialect,
      sql`select seq, wire from contacts where workspace_id = ${workspace} and seq < ${below}
        order by seq desc limit ${limit} offset ${offset}`,
      counterSum(workspace, list),
    ),
);

export const listTagged = derivedStatement(
  ({ workspace, tag, limit, offset, list }: PageArgs & { tag: string; list: string }, dialect) =>
    pageOf(
      dialect,
      contactsBySeq(
        sql`select seq from contact_tags where workspace_id = ${workspace} and tag = ${tag}
          order by seq desc limit ${limit} offset ${offset}`,
        workspace,
      ),
      counterSum(workspace, list),
    ),
);

/** The search of a list that is in the order of creation. The engines have faster ways for one without conditions. */
export const searchOf = (plan: Plan) =>
  contactList.built('search', plan, (shape) =>
    pagedSearch<PagedNeedle & Arguments>(contactList.meets(shape)),
  );

export type WalkRow = { id: string; seq: number };
/** What an export shows of a contact. */
const EXPORTED = ['seq', 'wire', 'phone_identity', 'fields', ...laterTexts] as const;
const exported = sql.join(EXPORTED.map((column) => sql.ref(`contacts.${column}`)));
export type ExportRow = Pick<StoredContact, (typeof EXPORTED)[number]> & { found: number };

/** The contacts that a walk has found, looked up by `seq`. */
const lookedUp = (rows: RawBuilder<unknown>, workspace: number) =>
  sql`(${rows}) as found cross join contacts where contacts.workspace_id = ${workspace} and contacts.seq = found.seq`;

/** A page of contacts that were sorted by their positions, and how many there are. Only those of the page are read. */
export const sortedRows = contactList.view<{ seq: number; key: string; wire: string; total: number }>({
  columns: ['seq', 'key', 'count(*) over () as total'],
  wrap: (rows, { workspace }, order) => sql`
    select found.seq, found.key, found.total, contacts.wire from ${lookedUp(rows, workspace)} order by ${order}`,
});

/** What work that processes a whole selection reads of its contacts, oldest first. */
export const walks = {
  ids: contactList.view<WalkRow>({
    columns: ['seq'],
    wrap: (rows, { workspace }) => sql`
      select contacts.id, contacts.seq from ${lookedUp(rows, workspace)} order by found.seq`,
  }),
  /** As many contacts as fit into `bytes`, but at least one; `found` is how many matched within the limit. */
  records: contactList.view<ExportRow>({
    columns: ['seq'],
    wrap: (rows, { workspace, args }) => sql`
      select * from (
        select ${exported}, count(*) over () as found,
          sum(octet_length(contacts.wire) + octet_length(contacts.fields)) over (order by found.seq)
            - octet_length(contacts.wire) - octet_length(contacts.fields) as before
        from ${lookedUp(rows, workspace)}
      ) as sized where before < ${args.bytes} order by seq`,
  }),
};

type WalkNeedle = Needle & Arguments & { after: number; limit: number };

/** A walk through the matches of a search. */
export const walkSearch = <R>(view: View<R>, plan: Plan) =>
  contactList.built(`walk ${contactList.views.indexOf(view)}`, plan, (shape) => {
    const meets = contactList.meets(shape);
    return search<WalkNeedle, R>(
      ({ from, seq, order }, args, dialect) => {
        const condition = meets ? sql`and ${meets(args, seq, dialect)}` : sql``;
        const rows = sql`select ${seq} as seq from ${from} ${condition} and ${seq} > ${args.after}
          order by ${order} limit ${args.limit}`;
        return view.wrap?.(rows, { workspace: args.workspace, args }, order) as RawBuilder<R>;
      },
      { after: ({ after }) => after },
    );
  });
