import type { Storage } from '../../db/storage.ts';
import { type ExportedContact, exportStep, type Selection } from '../contacts/contact.export.ts';
import { contactFields } from '../contacts/contact.schema.ts';
import type { Principal } from '../workspaces/principal.ts';
import { joinTags } from './csv/tags.ts';
import { FIRST_STEP, nextStep, writeCsv, writeJsonLines } from './csv/write.ts';

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const columns = contactFields.flatMap((field) =>
  field === 'phone_number' ? ([field, 'normalized_phone'] as const) : [field],
);

const cellsOf = (contact: ExportedContact) =>
  columns.map((name) => (name === 'tags' ? joinTags(contact.tags) : contact[name]));

/** Streams the contacts of a selection as a file, in chunks of about 128 KiB. */
export const exportContacts = (
  storage: Storage,
  principal: Principal,
  {
    selection,
    except,
    format,
    onProgress,
  }: {
    selection: Selection;
    /** Ids of contacts to exclude. */
    except?: ReadonlySet<string>;
    format: ExportFormat;
    onProgress?: (count: number) => void;
  },
): AsyncGenerator<string> => {
  async function* batches() {
    let count = 0;
    let limit = FIRST_STEP;
    for (let after: number | undefined = 0; after !== undefined; ) {
      const step: Awaited<ReturnType<typeof exportStep>> = await storage.run(exportStep, principal, {
        selection,
        after,
        limit,
      });
      const contacts = except ? step.contacts.filter(({ id }) => !except.has(id)) : step.contacts;
      yield contacts;
      count += contacts.length;
      onProgress?.(count);
      after = step.next;
      limit = nextStep(step.contacts.length);
    }
  }
  async function* rows() {
    for await (const contacts of batches()) yield contacts.map(cellsOf);
  }
  return format === 'csv' ? writeCsv(columns, rows()) : writeJsonLines(batches());
};
