import { useQuery } from '@tanstack/react-query';
import { browserTimeZone, useTimeZone } from '../../../app/time-zone.ts';
import { t } from '../../../lib/i18n.ts';
import { type ProfileField, profileLabels } from '../../../records/contacts/labels.ts';
import { fieldsQuery } from '../../../records/fields/query.ts';
import { type FieldValue, fieldText } from '../../../records/fields/values.ts';
import { type FieldName, type Fields, keyOfName } from './fields.ts';

/** Labels of members and fields, and their values as text. */
export const useShownFields = () => {
  const definitions = useQuery(fieldsQuery).data?.data;
  const zone = useTimeZone() ?? browserTimeZone();
  const fieldOf = (name: FieldName) => definitions?.find(({ key }) => key === keyOfName(name));
  return {
    labelOf: (name: FieldName) =>
      profileLabels[name as ProfileField] ?? fieldOf(name)?.label ?? keyOfName(name) ?? name,
    textOf: (name: FieldName, value: Fields[FieldName] | undefined) =>
      Array.isArray(value)
        ? value.join(', ')
        : fieldText(fieldOf(name)?.type ?? 'text', value as FieldValue | null | undefined, zone),
  };
};

export const Value = ({
  title,
  value,
  isOwn,
}: {
  readonly title: string;
  readonly value: string;
  readonly isOwn?: boolean;
}) => (
  <div className={isOwn ? 'rounded-lg bg-accent-soft px-3 py-2' : 'rounded-lg bg-sunken px-3 py-2'}>
    <div className={isOwn ? 'text-xs font-medium text-accent-ink' : 'text-xs font-medium text-muted'}>
      {title}
    </div>
    <div dir="auto" className="max-h-48 overflow-y-auto text-sm wrap-anywhere whitespace-pre-wrap">
      {value || <span className="italic">{t('Empty')}</span>}
    </div>
  </div>
);
