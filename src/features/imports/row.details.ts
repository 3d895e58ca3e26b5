import type { Db } from '../../db/db.ts';
import { truncate } from '../../files/csv/columns.ts';
import { unlockedContactsById } from '../contacts/contact.lookup.ts';
import { profileTexts } from '../contacts/contact.schema.ts';
import type { Principal } from '../workspaces/principal.ts';
import { type Changes, decide, factsOf, type PreviousFacts, writtenFacts } from './decide.ts';
import { fieldsOfImport } from './field.service.ts';
import type { ImportOptions } from './import.schema.ts';
import type * as store from './import.store.ts';
import { type Reading, rowReader } from './reading.ts';
import type * as rowStore from './row.store.ts';

/** A field that a row changes. Tags have no value before and after, but those that are added and removed. */
interface Change {
  field: string;
  before: string | null;
  after: string | null;
  added: string[];
  removed: string[];
}

const NOTHING = { before: null, after: null, added: [], removed: [] };

const textChange = (field: string, before: string | null, after: string | null): Change => ({
  field,
  ...NOTHING,
  before: before && truncate(before),
  after: after && truncate(after),
});

const tagChange = (before: readonly string[], after: readonly string[]): Change => ({
  field: 'tags',
  ...NOTHING,
  added: after.filter((tag) => !before.includes(tag)),
  removed: before.filter((tag) => !after.includes(tag)),
});

const listChanges = (before: Changes, after: Changes): Change[] => [
  ...profileTexts.flatMap((field) =>
    after[field] === undefined ? [] : [textChange(field, before[field] ?? null, after[field])],
  ),
  ...(after.tags ? [tagChange(before.tags ?? [], after.tags)] : []),
  ...(after.crm_id ? [textChange('crm_ids', before.crm_id ?? null, after.crm_id)] : []),
  ...Object.entries(after.fields ?? {}).map(([key, value]) =>
    textChange(`fields.${key}`, String(before.fields?.[key] ?? '') || null, String(value)),
  ),
];

/** What an applied row has changed, by the values that are stored for an undo. */
const appliedChanges = (former: string, reading: Reading, options: ImportOptions): Change[] => {
  const previous = JSON.parse(former) as PreviousFacts;
  const before = {
    ...previous.facts,
    crm_id: previous.crm?.before ?? null,
    fields: previous.fields as Changes['fields'],
  };
  return listChanges(before, writtenFacts(previous, reading, options));
};

/** Parses a JSON array of cells that may be cut off anywhere, even within an escape sequence of six characters. */
export const parseTruncatedCells = (json: string): string[] => {
  for (let cut = 0; cut < 6; cut++) {
    for (const end of ['', ']', '"]']) {
      try {
        return JSON.parse(json.slice(0, json.length - cut) + end) as string[];
      } catch {}
    }
  }
  return [];
};

/** Reads the contacts of a page of rows, and returns what each row changes. Nothing of this is stored, so that planning and
 *  applying cost no more. */
export const rowDetails = async (
  db: Db,
  principal: Principal,
  record: Pick<store.ImportRecord, 'columns' | 'options' | 'state'>,
  rows: readonly rowStore.DetailedRow[],
) => {
  const { options, reread } = rowReader(record, await fieldsOfImport(db, principal, record));
  const planned = rows.flatMap(({ verdict, effect, contact_id }) =>
    verdict === 'update' && effect === null && contact_id !== null ? [contact_id] : [],
  );
  const contacts = await unlockedContactsById(db, principal, planned);
  const changesOf = (row: rowStore.DetailedRow): Change[] => {
    const contact = row.effect === null ? contacts.get(row.contact_id ?? '') : undefined;
    if (row.cells === null || (!contact && row.former === null)) return [];
    const reading = reread({ ...row, cells: JSON.stringify(parseTruncatedCells(row.cells)) });
    if (!reading) return [];
    if (row.former !== null) return appliedChanges(row.former, reading, options);
    if (!contact) return [];
    const before = factsOf(contact, options.crm);
    return listChanges(before, decide(before, reading, options).changes);
  };
  return (row: rowStore.DetailedRow) => ({
    normalized_phone: row.identity?.startsWith('+') ? row.identity : null,
    changes: changesOf(row),
  });
};
