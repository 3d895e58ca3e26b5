import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { t } from '../../../lib/i18n.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Input } from '../../../ui/field.tsx';
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
  const set = (id: number, change: Partial<DispositionRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...change } : row)));
  const nameOf = (row: DispositionRow) => row.label || keyOf(row) || t('new disposition');
  return (
    <Section
      title={t('Dispositions')}
      description={t(
        'How a call can end, for example booked or wrong number. Runtimes report the key, and people see the label. Calls keep a disposition that you remove.',
      )}
    >
      {rows.length > 0 && (
        <ul aria-label={t('Dispositions')} className="mb-3 flex flex-col gap-3 sm:gap-2">
          {rows.map((row, at) => (
            <li
              key={row.id}
              className="flex flex-col gap-2 max-sm:rounded-lg max-sm:border max-sm:border-line max-sm:p-3 sm:grid sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] sm:items-start"
            >
              <Input
                label={t('Label')}
                className={at > 0 ? 'sm:[&>label]:sr-only' : ''}
                required
                maxLength={100}
                autoComplete="off"
                value={row.label}
                error={problems[`dispositions[${at}].label`]}
                onChange={({ target }) => set(row.id, { label: target.value })}
              />
              <Input
                label={t('Key')}
                readOnly={row.isSaved}
                maxLength={40}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                className={cx(
                  '[&_input]:font-mono [&_input]:read-only:bg-sunken',
                  at > 0 && 'sm:[&>label]:sr-only',
                )}
                value={keyOf(row)}
                error={problems[`dispositions[${at}].key`]}
                onChange={({ target }) => set(row.id, { key: target.value })}
              />
              <div className={cx('flex self-end sm:self-auto', at === 0 && 'sm:pt-6.5')}>
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
                <IconButton
                  label={t('Remove {name}', { name: nameOf(row) })}
                  icon={<Trash2 aria-hidden />}
                  onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <Button
        disabled={rows.length >= MAX_ENTRIES}
        onClick={() => onChange([...rows, { id: newId(), key: '', label: '', isSaved: false }])}
      >
        <Plus aria-hidden />
        {t('Add disposition')}
      </Button>
    </Section>
  );
};
