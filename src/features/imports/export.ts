import type { Storage } from '../../db/storage.ts';
import { inSteps, writeCsv, writeJsonLines } from '../../files/csv/write.ts';
import * as v from '../../lib/validation.ts';
import { type ExportedContact, exportByIds, exportStep } from '../contacts/contact.export.ts';
import { contactFields, laterTexts } from '../contacts/contact.schema.ts';
import type { ContactFilter } from '../contacts/contact.terms.ts';
import type { Principal } from '../workspaces/principal.ts';
import { joinTags } from './tags.ts';

/** The media types of the formats. */
export const EXPORT_TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;
export const exportFormat = v.described(v.oneOf(['csv', 'jsonl']), 'The format of the file. Default: `csv`.');

const columns = [...contactFields, ...laterTexts].flatMap((field) =>
  field === 'phone_number' ? ([field, 'normalized_phone'] as const) : [field],
);

const cellsOf = (contact: ExportedContact) =>
  columns.map((name) => (name === 'tags' ? joinTags(contact.tags) : contact[name]));

interface ExportOptions {
  readonly selection:
    | { readonly ids: readonly string[] }
    | { readonly filter: ContactFilter; readonly except: readonly string[] };
  /** Contacts that were created later are left out. */
  readonly createdUntil?: string;
  readonly format: keyof typeof EXPORT_TYPES;
  readonly onProgress?: (count: number) => void;
}

/** How many contacts are read by their ids in a step. */
const IDS_PER_STEP = 100;

async function* contactsByIds(storage: Storage, principal: Principal, ids: readonly string[]) {
  for (let at = 0; at < ids.length; at += IDS_PER_STEP)
    yield storage.run(exportByIds, principal, { ids: ids.slice(at, at + IDS_PER_STEP) });
}

/** Streams the contacts of a selection as a file, in chunks of about 128 KiB. */
export const exportContacts = (
  storage: Storage,
  principal: Principal,
  { selection, createdUntil, format, onProgress }: ExportOptions,
): AsyncGenerator<string> => {
  async function* batches() {
    let count = 0;
    const except = new Set('ids' in selection ? [] : selection.except);
    const source =
      'ids' in selection
        ? contactsByIds(storage, principal, selection.ids)
        : inSteps((after: number | undefined, limit) =>
            storage.run(exportStep, principal, { selection: selection.filter, after: after ?? 0, limit }),
          );
    for await (const found of source) {
      const contacts = found.filter(
        ({ id, created_at }) => !except.has(id) && (createdUntil === undefined || created_at <= createdUntil),
      );
      yield contacts;
      count += contacts.length;
      onProgress?.(count);
    }
  }
  async function* rows() {
    for await (const contacts of batches()) yield contacts.map(cellsOf);
  }
  return format === 'csv' ? writeCsv(columns, rows()) : writeJsonLines(batches());
};
