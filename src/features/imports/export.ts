import type { Storage } from '../../db/storage.ts';
import { inSteps, writeCsv, writeJsonLines } from '../../files/csv/write.ts';
import * as v from '../../lib/validation.ts';
import { type ExportedContact, exportStep, type Selection } from '../contacts/contact.export.ts';
import { contactFields, laterTexts } from '../contacts/contact.schema.ts';
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
  readonly selection: Selection;
  readonly format: keyof typeof EXPORT_TYPES;
  readonly onProgress?: (count: number) => void;
}

/** Streams the contacts of a selection as a file, in chunks of about 128 KiB. */
export const exportContacts = (
  storage: Storage,
  principal: Principal,
  { selection, format, onProgress }: ExportOptions,
): AsyncGenerator<string> => {
  async function* batches() {
    let count = 0;
    const source = inSteps((after: number | undefined, limit) =>
      storage.run(exportStep, principal, { selection, after: after ?? 0, limit }),
    );
    for await (const contacts of source) {
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
