import type { Storage } from '../../db/storage.ts';
import { inSteps, writeCsv, writeJsonLines } from '../../files/csv/write.ts';
import * as v from '../../lib/validation.ts';
import { type ExportedContact, exportStep, type Selection } from '../contacts/contact.export.ts';
import { contactFields, laterTexts } from '../contacts/contact.schema.ts';
import { listFields } from '../fields/field.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { joinTags } from './tags.ts';

/** The media types of the formats. */
export const EXPORT_TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;
export const exportInclude = v.optional(
  v.oneOf(['fields']),
  "`fields` adds the values of the workspace's fields: in CSV, a column for each key after the others.",
);
export const exportFormat = v.described(v.oneOf(['csv', 'jsonl']), 'The format of the file. Default: `csv`.');

const columns = [...contactFields, ...laterTexts].flatMap((field) =>
  field === 'phone_number' ? ([field, 'normalized_phone'] as const) : [field],
);

/** The export shows the values of these fields, in this order. */
const cellsOf = (contact: ExportedContact, keys: readonly string[]) => [
  ...columns.map((name) => (name === 'tags' ? joinTags(contact.tags) : contact[name])),
  ...keys.map((key) => (Object.hasOwn(contact.fields, key) ? String(contact.fields[key]) : null)),
];

/** A contact as JSON, with its values of fields if the export has them. */
const jsonOf = ({ fields, ...contact }: ExportedContact, keys: readonly string[] | undefined) =>
  keys
    ? { ...contact, fields: Object.fromEntries(Object.entries(fields).filter(([key]) => keys.includes(key))) }
    : contact;

const usedKeys = async (storage: Storage, principal: Principal): Promise<string[]> =>
  (await storage.run(listFields, principal, null)).flatMap((each) => (each.archived_at ? [] : each.key));

interface ExportOptions {
  readonly selection: Selection;
  readonly format: keyof typeof EXPORT_TYPES;
  /** Whether the file has the values of the workspace's fields, after the other columns. */
  readonly withFields?: boolean;
  /** Whether CSV has neither the mark of UTF-8 nor the apostrophes that spreadsheets need. */
  readonly forPrograms?: boolean;
  readonly onProgress?: (count: number) => void;
}

/** Streams the contacts of a selection as a file, in chunks of about 128 KiB. */
export async function* exportContacts(
  storage: Storage,
  principal: Principal,
  { selection, format, withFields = false, forPrograms, onProgress }: ExportOptions,
): AsyncGenerator<string> {
  const keys = withFields ? await usedKeys(storage, principal) : undefined;
  const names = keys ?? [];
  async function* batchesOf<T>(recordOf: (contact: ExportedContact) => T): AsyncGenerator<T[]> {
    let count = 0;
    const source = inSteps((after: number | undefined, limit) =>
      storage.run(exportStep, principal, { selection, after: after ?? 0, limit }),
    );
    for await (const contacts of source) {
      yield contacts.map(recordOf);
      count += contacts.length;
      onProgress?.(count);
    }
  }
  const header = [...columns, ...names];
  if (format === 'csv')
    yield* writeCsv(
      header,
      batchesOf((each) => cellsOf(each, names)),
      forPrograms,
    );
  else yield* writeJsonLines(batchesOf((each) => jsonOf(each, keys)));
}
