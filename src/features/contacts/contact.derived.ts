import { count } from '../../db/counters.ts';
import type { Db, DerivedTable } from '../../db/db.ts';
import { blocksOf } from '../../db/deep-pagination.ts';
import { type NamedChange, sumByName } from '../../db/deferred-writes.ts';
import type { TextChange } from '../../db/search.ts';
import { recordEvent } from '../events/event.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { isImport, recordContactChange } from './change.service.ts';
import { profileTexts, type Source } from './contact.schema.ts';
import { addTags, type ContactRow, deleteTags } from './contact.store.ts';

/** The name of a change is the JSON of a tag and the `seq` of a contact, as the statements expect them. */
const tags: DerivedTable<NamedChange> = {
  write: (db, changes) =>
    sumByName(changes).flatMap(([workspace, sums]) => {
      const added = sums.filter(([, by]) => by > 0).map(([name]) => name);
      const removed = sums.filter(([, by]) => by < 0).map(([name]) => name);
      return [
        ...(removed.length > 0 ? [db.run(deleteTags, { workspace, tags: `[${removed}]` })] : []),
        ...(added.length > 0 ? [db.run(addTags, { workspace, tags: `[${added}]` })] : []),
      ];
    }),
};

const searchEntries: DerivedTable<TextChange> = {
  write: (db, changes) => db.search.index(changes),
};

const tagsOf = (row: ContactRow | undefined): Set<string> =>
  new Set(row ? (JSON.parse(row.tags) as string[]) : []);

/** The fields whose changes an event names. */
const NAMED = ['phone_number', ...profileTexts, 'tags', 'first_contact_at', 'last_contact_at'] as const;

/** Records the event of a change. `before` is undefined for a create, `after` for a delete. */
export const recordContactEvent = (
  db: Db,
  principal: Principal,
  before: ContactRow | undefined,
  after: ContactRow | undefined,
  crm_ids: string,
  changed: readonly string[] = [],
): void => {
  const { id: subject } = (after ?? before) as ContactRow;
  const about = { subject, contact: subject };
  if (!after) {
    recordEvent(db, principal, { type: 'contact.deleted', ...about });
    return;
  }
  const data = `${after.wire.slice(0, -1)},"crm_ids":${crm_ids}}`;
  if (before) {
    const named = [...NAMED.filter((name) => before[name] !== after[name]), ...changed];
    recordEvent(db, principal, { type: 'contact.updated', ...about, changed: named, data });
    recordChanges(db, principal, before, after, named);
  } else recordEvent(db, principal, { type: 'contact.created', ...about, data });
};

/** Records the changes for the timeline. A call that moves the time of the last contact is no change: it has its own entry. Tags
 *  that change together with other fields have an entry of their own, except those of an import. */
const recordChanges = (
  db: Db,
  principal: Principal,
  before: ContactRow,
  after: ContactRow,
  named: readonly string[],
): void => {
  const fields = named.filter((name) => name !== 'first_contact_at' && name !== 'last_contact_at');
  const [tagsBefore, tagsAfter] = [tagsOf(before), tagsOf(after)];
  const added = [...tagsAfter.difference(tagsBefore)];
  const removed = [...tagsBefore.difference(tagsAfter)];
  const hasTags = added.length > 0 || removed.length > 0;
  const at = after.updated_at > before.updated_at ? { at: after.updated_at } : {};
  const about = { contact: after.id, action: 'contact.updated', ...at } as const;
  if (hasTags && fields.length > 1 && isImport(principal.actor)) {
    recordContactChange(db, principal, { ...about, kind: 'edit', details: { fields, added, removed } });
    return;
  }
  const others = hasTags ? fields.filter((name) => name !== 'tags') : fields;
  if (others.length > 0)
    recordContactChange(db, principal, { ...about, kind: 'edit', details: { fields: others } });
  if (hasTags)
    recordContactChange(db, principal, {
      ...about,
      kind: 'tag',
      details: { fields: ['tags'], added, removed },
    });
};

/** Updates tags, counters, search entries, events and changes of a contact. `before` is undefined for a create, `after` for a
 *  delete. */
export const updateDerivedData = (
  db: Db,
  principal: Principal,
  { seq, crm_ids }: { seq: number; crm_ids: string },
  before: ContactRow | undefined,
  after: ContactRow | undefined,
): void => {
  const { workspace } = principal;
  const linked = before && 'crm_ids' in before && before.crm_ids !== crm_ids ? ['crm_ids'] : [];
  const [tagsBefore, tagsAfter] = [tagsOf(before), tagsOf(after)];
  const update = (row: ContactRow, changed: Iterable<string>, isWhole: boolean, by: number) => {
    for (const tag of changed) db.defer(tags, { workspace, name: JSON.stringify({ tag, seq }), by });
    count(db, workspace, [...(isWhole ? countersOf(row, seq) : []), ...[...changed].map(tagCounter)], by);
  };
  if (before) update(before, tagsBefore.difference(tagsAfter), !after, -1);
  if (after) update(after, tagsAfter.difference(tagsBefore), !before, 1);
  db.defer(searchEntries, { workspace, seq, before, after });
  recordContactEvent(db, principal, before, after, crm_ids, linked);
};

/** The counter of contacts with a tag. */
export const tagCounter = (tag: string): string => `contacts:${tag}`;

/** The counter of contacts that were created on a day, by source. */
export const dayCounter = (day: string, source: Source): string => `contacts@${day}/${source}`;

const countersOf = ({ created_at, source }: ContactRow, seq: number) => [
  'contacts',
  ...blocksOf('contacts', seq),
  dayCounter(created_at.slice(0, 10), source),
];
