import type { Db, DerivedTable } from '../../db/db.ts';
import { blocksOf } from '../../db/deep-pagination.ts';
import { type NamedChange, sumByName } from '../../db/deferred-writes.ts';
import type { TextChange } from '../../db/search.ts';
import { pickColumns } from '../../db/statement.ts';
import { withMember } from '../../lib/json.ts';
import {
  change,
  changedFields,
  changedOf,
  isImport,
  type TimelineDetails,
  type TimelineEntry,
} from '../../records/change.ts';
import {
  changedValues,
  type Definitions,
  type FieldValue,
  fieldCounter,
  indexedValue,
  nameOfField,
} from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { profileTexts } from './contact.schema.ts';
import { type ContactRow, fieldValueRows, tagRows } from './contact.store.ts';
import { secondaryOf } from './identity.column.ts';

/** A table of which the name of a change is the JSON of a row, as the statements expect it. */
const rowsByName = ({ add, remove }: typeof tagRows): DerivedTable<NamedChange> => ({
  write: (db, changes) =>
    sumByName(changes).flatMap(([workspace, sums]) => {
      const added = sums.filter(([, by]) => by > 0).map(([name]) => name);
      const removed = sums.filter(([, by]) => by < 0).map(([name]) => name);
      return [
        ...(removed.length > 0 ? [db.run(remove, { workspace, rows: `[${removed}]` })] : []),
        ...(added.length > 0 ? [db.run(add, { workspace, rows: `[${added}]` })] : []),
      ];
    }),
});
const tags = rowsByName(tagRows);
const fieldValues = rowsByName(fieldValueRows);

const searchEntries: DerivedTable<TextChange> = {
  write: (db, changes) => db.search.index(changes),
};

const tagsOf = (row: ContactRow | undefined): Set<string> =>
  new Set(row ? (JSON.parse(row.tags) as string[]) : []);

/** The fields whose changes an event names. */
const NAMED = [
  'phone_number',
  ...profileTexts,
  'tags',
  'first_contact_at',
  'last_contact_at',
  'crm_ids',
  'identities',
] as const;

/** The changes for the timeline. A call that moves the time of the last contact is no change: it has its own entry. Tags that
 *  change together with other fields have an entry of their own, except those of an import. */
const timelineOf = (
  { actor }: Principal,
  { before, after }: { before: ContactRow; after: ContactRow },
  { fields: named, added, removed }: Required<Pick<TimelineDetails, 'fields' | 'added' | 'removed'>>,
  changed: ReturnType<typeof changedValues>,
): TimelineEntry[] => {
  const stateOf = (row: ContactRow, side: 'before' | 'after') => ({
    ...pickColumns(row, ['phone_number', ...profileTexts]),
    crm_ids: JSON.parse(row.crm_ids) as unknown,
    identities: secondaryOf(row),
    ...Object.fromEntries(changed.map((each) => [nameOfField(each), each[side]])),
  });
  const states = { before: stateOf(before, 'before'), after: stateOf(after, 'after') };
  const values = changedOf(states, named);
  const fields = named.filter((name) => name !== 'first_contact_at' && name !== 'last_contact_at');
  const hasTags = added.length > 0 || removed.length > 0;
  const at = after.updated_at > before.updated_at ? { at: after.updated_at } : {};
  const entry = (kind: 'edit' | 'tag', details: TimelineDetails): TimelineEntry => ({
    kind,
    action: 'contact.updated',
    ...at,
    details,
  });
  if (hasTags && fields.length > 1 && isImport(actor))
    return [entry('edit', { fields, values, added, removed })];
  const others = hasTags ? fields.filter((name) => name !== 'tags') : fields;
  return [
    ...(others.length > 0 ? [entry('edit', { fields: others, values })] : []),
    ...(hasTags ? [entry('tag', { fields: ['tags'], added, removed })] : []),
  ];
};

interface RecordOptions {
  readonly seq: number;
  readonly isAudited?: boolean;
  /** Those of the values, if the caller has locked them. Without them, the statement selects the values to index. */
  readonly definitions?: Definitions | undefined;
}

/** Updates tags, values of fields and search entries of a contact at a position, and records its change. `before` is undefined for a create, `after` for
 *  a delete. */
export const recordWrite = (
  db: Db,
  principal: Principal,
  { before, after }: { readonly before?: ContactRow; readonly after?: ContactRow },
  { seq, isAudited = false, definitions }: RecordOptions,
): void => {
  const { workspace } = principal;
  const row = (after ?? before) as ContactRow;
  const [tagsBefore, tagsAfter] = [tagsOf(before), tagsOf(after)];
  const added = [...tagsAfter.difference(tagsBefore)];
  const removed = [...tagsBefore.difference(tagsAfter)];
  const name = (tag: string) => JSON.stringify({ tag, seq });
  for (const tag of removed) db.defer(tags, { workspace, name: name(tag), by: -1 });
  for (const tag of added) db.defer(tags, { workspace, name: name(tag), by: 1 });
  db.defer(searchEntries, { workspace, seq, before, after });
  const values = changedValues(before?.fields ?? '{}', after?.fields ?? '{}');
  for (const { key: field, before: old, after: current } of values) {
    if (definitions?.get(field)?.filterable === false) continue;
    const row = (value: FieldValue) => JSON.stringify({ field, value: indexedValue(value), seq });
    if (old !== undefined) db.defer(fieldValues, { workspace, name: row(old), by: -1 });
    if (current !== undefined) db.defer(fieldValues, { workspace, name: row(current), by: 1 });
  }
  const fields = before && after ? namesOfChanges(before, after) : [];
  const changes = { fields, added, removed };
  change(db, principal, {
    action: !before ? 'contact.created' : after ? 'contact.updated' : 'contact.deleted',
    subject: row.id,
    isAudited,
    event: {
      contact: row.id,
      ...(after && { data: withMember(after.wire, 'crm_ids', after.crm_ids) }),
    },
    ...(before && after && { fields, timeline: timelineOf(principal, { before, after }, changes, values) }),
    counters: {
      before: [
        ...(after ? [] : countersOf(row, seq)),
        ...removed.map(tagCounter),
        ...values.filter((each) => each.after === undefined).map(fieldCounter),
      ],
      after: [
        ...(before ? [] : countersOf(row, seq)),
        ...added.map(tagCounter),
        ...values.filter((each) => each.before === undefined).map(fieldCounter),
      ],
    },
  });
};

/** The names of the columns that differ, and of the fields whose values do. */
export const namesOfChanges = (before: ContactRow, after: ContactRow): string[] => [
  ...changedFields(before, after, NAMED),
  ...changedValues(before.fields, after.fields).map(nameOfField),
];

/** The counter of contacts with a tag. */
export const tagCounter = (tag: string): string => `contacts:${tag}`;

/** The counters of contacts that were created on a day begin with it. */
export const dayCounter = (at: string): string => `contacts@${at.slice(0, 10)}`;

const countersOf = ({ created_at, source }: ContactRow, seq: number) => [
  'contacts',
  ...blocksOf('contacts', seq),
  `${dayCounter(created_at)}/${source}`,
];
