import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChangedValues } from '../../api/types.gen.ts';
import { useTimeZone } from '../../app/time-zone.ts';
import { t } from '../../lib/i18n.ts';
import { MoreButton, OldToNew } from '../../ui/old-to-new.tsx';
import { RecordLink } from '../audit-log/record-link.tsx';
import type { Kind } from '../audit-log/url-params.ts';
import { fieldsQuery } from '../fields/query.ts';
import { changesIn, isRecord, type Vocabulary, valueText } from './values.ts';

const shown = (name: string, value: unknown, vocabulary: Vocabulary) =>
  isRecord(value) ? (
    <RecordLink of={value} kind={name.replace(/_id$/, '') as Kind} />
  ) : (
    valueText(name, value, vocabulary)
  );

/** Each changed field as `Label: old → new`. The label of a single one can be left to the heading above it. */
const ChangedFields = ({
  changes,
  max,
  isTitled = false,
}: {
  readonly changes: ChangedValues;
  /** How many are shown until the reader asks for the rest. */
  readonly max: number;
  readonly isTitled?: boolean;
}) => {
  const [isOpen, setOpen] = useState(false);
  const fields = useQuery(fieldsQuery).data?.data ?? [];
  const vocabulary = { fields, zone: useTimeZone() ?? 'UTC' };
  const all = changesIn(changes, fields);
  const rest = all.length - max;
  return (
    <>
      <ul className="flex flex-col gap-0.5">
        {all.slice(0, isOpen ? undefined : max).map(({ path, label, name, before, after }) => (
          <li key={path} className="wrap-anywhere">
            <span className={isTitled && all.length === 1 ? 'sr-only' : undefined}>
              <bdi>{label}</bdi>:{' '}
            </span>
            <OldToNew before={shown(name, before, vocabulary)} after={shown(name, after, vocabulary)} />
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <MoreButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
          {t('and {count} more', { count: rest })}
        </MoreButton>
      )}
    </>
  );
};

export default ChangedFields;
