import { useQuery } from '@tanstack/react-query';
import { Archive, ArchiveRestore, Ellipsis, Pencil, Plus, Rows3, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Field } from '../../../api/types.gen.ts';
import { useCreate } from '../../../app/commands.ts';
import { t } from '../../../lib/i18n.ts';
import { fieldTypeLabels } from '../../../records/fields/labels.ts';
import { fieldsQuery } from '../../../records/fields/query.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { rich } from '../../../ui/rich.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import type { DialogState } from '../keys/list.tsx';
import { ArchiveField, EraseField, restoreField } from './change.tsx';
import { FieldForm } from './form.tsx';

const MAX_FIELDS = 100;
const MAX_OPTIONS = 4;

interface PendingAction {
  readonly what: 'edit' | 'archive' | 'erase';
  readonly field: Field;
}

const columns: readonly Column<Field>[] = [
  {
    id: 'label',
    header: t('Label'),
    phone: 'title',
    className: 'max-sm:pr-12',
    cell: ({ key, label, archived_at }) => (
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2 font-medium">
          <span dir="auto" className="wrap-anywhere">
            {label}
          </span>
          {archived_at && <Badge tone="warn">{t('Archived')}</Badge>}
        </div>
        <code className="font-mono text-xs text-muted wrap-anywhere">{`{{${key}}}`}</code>
      </div>
    ),
  },
  {
    id: 'type',
    header: t('Type'),
    className: 'whitespace-nowrap',
    cell: ({ type }) => fieldTypeLabels[type],
  },
  {
    id: 'options',
    header: t('Options'),
    hideBelow: 'medium',
    cell: ({ options }) =>
      options && (
        <span className="flex min-w-0 flex-wrap gap-1" title={options.join(', ')}>
          {options.slice(0, MAX_OPTIONS).map((option) => (
            <Badge key={option}>{option}</Badge>
          ))}
          {options.length > MAX_OPTIONS && <Badge>+{options.length - MAX_OPTIONS}</Badge>}
        </span>
      ),
  },
  {
    id: 'filterable',
    header: t('Filterable'),
    className: 'whitespace-nowrap',
    cell: ({ filterable }) => (filterable ? t('Yes') : t('No')),
  },
];

const actionsColumn = (onAction: (pending: PendingAction) => void): Column<Field> => ({
  id: 'actions',
  header: t('Actions'),
  align: 'end',
  phone: 'title',
  className: 'sm:w-16 sm:py-1.5! max-sm:absolute max-sm:top-1.5 max-sm:right-1.5',
  cell: (field) => (
    <Menu
      trigger={
        <IconButton label={t('Actions for {name}', { name: field.label })} icon={<Ellipsis aria-hidden />} />
      }
      items={
        field.archived_at
          ? [
              {
                label: t('Restore'),
                icon: <ArchiveRestore aria-hidden />,
                onSelect: () => void restoreField(field),
              },
              null,
              {
                label: t('Erase values…'),
                icon: <Trash2 aria-hidden />,
                danger: true,
                onSelect: () => onAction({ what: 'erase', field }),
              },
            ]
          : [
              {
                label: t('Edit'),
                icon: <Pencil aria-hidden />,
                onSelect: () => onAction({ what: 'edit', field }),
              },
              null,
              {
                label: t('Archive…'),
                icon: <Archive aria-hidden />,
                onSelect: () => onAction({ what: 'archive', field }),
              },
            ]
      }
    />
  ),
});

const CreateButton = ({ isFull, onAdd }: { readonly isFull: boolean; readonly onAdd: () => void }) => {
  useCreate(t('Create field'), onAdd);
  return (
    <Button variant="primary" disabled={isFull} onClick={onAdd}>
      <Plus aria-hidden />
      {t('Create field')}
    </Button>
  );
};

/** The workspace's own fields of contacts. Members can read them. */
const Fields = ({ isOwner, isAdding, onAdd, onClose }: DialogState & { readonly isOwner: boolean }) => {
  const list = useQuery(fieldsQuery);
  const [pending, setPending] = useState<PendingAction>();
  const fields = list.data?.data;
  const filterableCount = fields?.filter(({ filterable }) => filterable).length ?? 0;
  const isFull = (fields?.length ?? 0) >= MAX_FIELDS;
  const createButton = isOwner && <CreateButton isFull={isFull} onAdd={onAdd} />;
  const close = () => setPending(undefined);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-sm text-muted">
          {t(
            'What your team and your agents know about a contact besides the name and number. Fields are columns of the list and variables of instructions.',
          )}{' '}
          {isFull
            ? t('You have {count} of {max} fields. Erase one to create another.', {
                count: fields?.length ?? 0,
                max: MAX_FIELDS,
              })
            : !isOwner && t('Only owners can change this.')}
        </p>
        {fields?.length !== 0 && createButton}
      </div>
      <DataTable
        label={t('Fields')}
        columns={isOwner ? [...columns, actionsColumn(setPending)] : columns}
        rows={fields}
        rowId={({ key }) => key}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty={
          <EmptyState icon={<Rows3 />} title={t('No fields yet')} action={createButton}>
            {rich(
              'For example, with a field “Renewal date” an agent can say “Your contract ends on {variable}”, and you can call everyone whose contract ends this month.',
              { variable: <code className="font-mono">{'{{renewal_date}}'}</code> },
            )}
          </EmptyState>
        }
      />
      {isAdding && isOwner && <FieldForm filterableCount={filterableCount} onClose={onClose} />}
      {pending?.what === 'edit' && (
        <FieldForm field={pending.field} filterableCount={filterableCount} onClose={close} />
      )}
      {pending?.what === 'archive' && <ArchiveField field={pending.field} onClose={close} />}
      {pending?.what === 'erase' && <EraseField field={pending.field} onClose={close} />}
    </>
  );
};

export default Fields;
