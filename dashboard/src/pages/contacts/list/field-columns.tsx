import { useMemo } from 'react';
import type { Contact, Field } from '../../../api/types.gen.ts';
import { browserTimeZone } from '../../../app/time-zone.ts';
import { useFields } from '../../../records/fields/query.ts';
import { type FieldValue, fieldText, isWebAddress } from '../../../records/fields/values.ts';
import type { Column } from '../../../ui/table.tsx';
import { columns } from './columns.tsx';

/** A contact of the list. It has `fields` only while a column shows one. */
export type ListedContact = Contact & { readonly fields?: Readonly<Record<string, FieldValue>> };

const columnOf = ({ key, label, type }: Field, zone: string): Column<ListedContact> => ({
  id: `fields.${key}`,
  header: label,
  isExtra: true,
  ...(type === 'number' && { align: 'end' }),
  ...(type !== 'text' && type !== 'enum' && type !== 'url' && { className: 'whitespace-nowrap' }),
  cell: ({ fields }) => {
    const value = fields?.[key];
    const text = fieldText(type, value, zone);
    if (text === '') return null;
    return (
      <div dir="auto" className="truncate" title={text}>
        {type === 'url' && isWebAddress(text) ? (
          <a
            href={text}
            target="_blank"
            rel="noopener noreferrer"
            className="relative z-10 underline decoration-line underline-offset-2 hover:decoration-current"
          >
            {text.replace(/^https?:\/\//i, '')}
          </a>
        ) : (
          text
        )}
      </div>
    );
  },
});

/** The columns of the list, the workspace's own fields last. */
export const useColumns = (zone = browserTimeZone()): readonly Column<ListedContact>[] => {
  const fields = useFields();
  return useMemo(
    () => (fields ? [...columns, ...fields.map((field) => columnOf(field, zone))] : columns),
    [fields, zone],
  );
};

/** What the request for the list has to include. */
export const includeOf = (shown: readonly Column<ListedContact>[]): string | undefined =>
  shown.some(({ id }) => /^fields\./.test(id)) ? 'fields' : undefined;
