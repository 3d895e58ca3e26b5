import { ArrowDown, ArrowUp } from 'lucide-react';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Input } from '../../../ui/field.tsx';
import { FormRows } from '../../../ui/form-rows.tsx';
import { Section } from '../../../ui/page.tsx';
import { type DispositionRow, keyOf, MAX_ENTRIES, moved, newId } from './form.ts';

/** The dispositions in their order. A key that is saved stays. */
export const Dispositions = ({
  rows,
  problems,
  onChange,
}: {
  readonly rows: readonly DispositionRow[];
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (rows: readonly DispositionRow[]) => void;
}) => {
  const nameOf = (row: DispositionRow) => row.label || keyOf(row) || t('new disposition');
  return (
    <Section
      title={t('Dispositions')}
      description={t(
        'How a call can end, for example booked or wrong number. Runtimes report the key, and people see the label. Calls keep a disposition that you remove.',
      )}
    >
      <FormRows
        label={t('Dispositions')}
        columns="sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
        rows={rows}
        max={MAX_ENTRIES}
        newRow={() => ({ id: newId(), key: '', label: '', isSaved: false })}
        addLabel={t('Add disposition')}
        removeLabel={(row) => t('Remove {name}', { name: nameOf(row) })}
        actions={(row, at) => (
          <>
            <IconButton
              label={t('Move {name} up', { name: nameOf(row) })}
              icon={<ArrowUp aria-hidden />}
              disabled={at === 0}
              onClick={() => onChange(moved(rows, row.id, -1))}
            />
            <IconButton
              label={t('Move {name} down', { name: nameOf(row) })}
              icon={<ArrowDown aria-hidden />}
              disabled={at === rows.length - 1}
              onClick={() => onChange(moved(rows, row.id, 1))}
            />
          </>
        )}
        onChange={onChange}
      >
        {(row, at, set) => (
          <>
            <Input
              label={t('Label')}
              required
              maxLength={100}
              autoComplete="off"
              value={row.label}
              error={problems[`dispositions[${at}].label`]}
              onChange={({ target }) => set({ label: target.value })}
            />
            <Input
              label={t('Key')}
              readOnly={row.isSaved}
              maxLength={40}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="[&_input]:font-mono [&_input]:read-only:bg-sunken"
              value={keyOf(row)}
              error={problems[`dispositions[${at}].key`]}
              onChange={({ target }) => set({ key: target.value })}
            />
          </>
        )}
      </FormRows>
    </Section>
  );
};
