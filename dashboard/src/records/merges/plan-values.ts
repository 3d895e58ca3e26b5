import type { MergePlan } from '../../api/types.gen.ts';
import { contactName } from '../../lib/format.ts';
import { plural, t } from '../../lib/i18n.ts';
import { fieldLabel } from '../audit-log/labels.ts';

/** The name of each contact of a plan. */
export const namesIn = ({ survivor_id, other_ids, fields }: MergePlan): Map<string, string> => {
  const valueIn = (id: string, name: string): string => {
    const values = fields.find(({ field }) => field === name)?.values;
    return String(values?.find(({ contact_id }) => contact_id === id)?.value ?? '');
  };
  return new Map(
    [survivor_id, ...other_ids].map((id) => [
      id,
      contactName({
        display_name: valueIn(id, 'display_name'),
        first_name: valueIn(id, 'first_name'),
        last_name: valueIn(id, 'last_name'),
        phone_number: valueIn(id, 'phone_number'),
      }),
    ]),
  );
};

export const mergedFieldLabel = (field: string, labels: ReadonlyMap<string, string>): string => {
  const crm = field.replace(/^crm_ids\./, '');
  return crm === field ? fieldLabel(field, labels) : t('{name} ID', { name: crm });
};

/** What moves to the contact that stays. */
export const movesText = ({
  identities,
  enrollments,
  calls,
  sessions,
  renderings,
  import_rows,
}: MergePlan['moves']): string[] => [
  ...(calls ? [plural(calls, '# call or message', '# calls and messages')] : []),
  ...(identities ? [plural(identities, '# number or other identity', '# numbers and other identities')] : []),
  ...(enrollments ? [plural(enrollments, '# enrollment', '# enrollments')] : []),
  ...(sessions ? [plural(sessions, '# session', '# sessions')] : []),
  ...(renderings ? [plural(renderings, '# rendered instruction', '# rendered instructions')] : []),
  ...(import_rows ? [plural(import_rows, '# row of an import', '# rows of imports')] : []),
];
