import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportColumn } from '../../api/types.gen.ts';
import { useCurrentUser } from '../../app/current-user.ts';
import { plural, t } from '../../lib/i18n.ts';
import { MAX_FILTERABLE } from '../../records/fields/filterable.tsx';
import { fieldsQuery, useFields } from '../../records/fields/query.ts';
import { fieldLabel, fieldLabels } from '../../records/imports/labels.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useVariableNames } from './campaign.tsx';
import {
  type Choices,
  choose,
  columnOf,
  crmOf,
  fieldAt,
  hasCrmIds,
  hasPhone,
  type NewField,
  newFieldAt,
  type Target,
} from './mapping.ts';
import { NewFieldForm } from './new-field.tsx';

const certainties = {
  name: t('Matched by name'),
  content: t('Matched by content'),
  hand: t('Matched manually'),
} as const;
/** The choice that creates a field. */
const CREATE = 'create';
/** Up to this many empty columns are shown like any other. */
const MAX_SHOWN_EMPTY = 3;
const MAX_CRM_NAME = 64;

export const NoPhone = ({ isError = false }: { readonly isError?: boolean }) => (
  <Notice tone={isError ? 'danger' : 'warn'}>
    {t(
      'No column is mapped to the phone number. Every contact needs one: choose “Phone number” for the right column.',
    )}
  </Notice>
);

/** The columns of the file with sample values, and the contact field of each. */
export const ColumnFields = ({
  columns,
  choices,
  crm,
  campaign,
  isCrmMissing,
  onChange,
  onCrm,
}: {
  readonly columns: readonly ImportColumn[];
  readonly choices: Choices;
  /** The name of the CRM whose ids a column has. */
  readonly crm: string;
  /** In which the contacts are enrolled; empty for none. */
  readonly campaign: string;
  /** Shows that the name of the CRM is missing. */
  readonly isCrmMissing: boolean;
  readonly onChange: (choices: Choices) => void;
  readonly onCrm: (crm: string) => void;
}) => {
  const [showsAll, setShowsAll] = useState(false);
  const [moved, setMoved] = useState('');
  const isBlank = (column: ImportColumn, at: number) =>
    column.samples.length === 0 && fieldAt(columns, choices, at) === null && choices[at] === undefined;
  const blank = columns.filter(isBlank).length;
  const hides = blank > MAX_SHOWN_EMPTY && !showsAll;
  const isOwner = useCurrentUser().role === 'owner';
  const fields = useFields() ?? [];
  const variables = useVariableNames(campaign);
  const newFields = columns.map((_, at) => newFieldAt(columns, choices, at));
  const defined = useQuery(fieldsQuery).data?.data ?? [];
  const filterableCount = [...defined, ...newFields].filter((field) => field?.filterable).length;
  const labels: [Target, string][] = [
    ...(Object.entries(fieldLabels) as [Target, string][]),
    ...fields.map(({ key, label }): [Target, string] => [`fields.${key}`, label]),
  ];
  /** Variables that the agent declares, one with the name of the column, and the chosen field while the fields are loading. */
  const othersOf = ({ suggestion }: ImportColumn, at: number): [Target, string][] => {
    const names = campaign === '' ? [] : [...variables, ...(suggestion ? [suggestion.key] : [])];
    const chosen = newFieldAt(columns, choices, at) ? null : fieldAt(columns, choices, at);
    const isListed = chosen === null || labels.some(([value]) => value === chosen);
    const others = new Set<Target>(names.map((name): Target => `variables.${name}`));
    if (!isListed) others.add(chosen);
    return [...others].map((target) => [target, fieldLabel(target)]);
  };
  const set = (at: number, field: Target | null) => {
    const current = field === null ? -1 : columnOf(columns, choices, field);
    const from = current === at ? undefined : columns[current];
    setMoved(
      from && field
        ? t('“{name}” is now skipped, because only one column can fill a field.', { name: from.name })
        : '',
    );
    onChange(choose(columns, choices, at, field));
    const named = field === 'crm_ids' && crm === '' ? crmOf(columns[at]?.name ?? '') : undefined;
    if (named) onCrm(named);
  };
  return (
    <>
      {!hasPhone(columns, choices) && <NoPhone />}
      <ul aria-label={t('Columns of the file')}>
        {columns.map((column, at) =>
          hides && isBlank(column, at) ? null : (
            <ColumnField
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position
              key={at}
              column={column}
              field={fieldAt(columns, choices, at)}
              isChosen={choices[at] !== undefined}
              options={[...labels, ...othersOf(column, at)].map(([value, label]) => ({
                value,
                label: [-1, at].includes(columnOf(columns, choices, value))
                  ? label
                  : t('{field} (in use)', { field: label }),
              }))}
              newField={newFields[at]}
              proposed={
                isOwner && column.suggestion
                  ? { ...column.suggestion, filterable: filterableCount < MAX_FILTERABLE }
                  : undefined
              }
              filterableCount={filterableCount}
              onField={(field) => set(at, field)}
              onNewField={(field) => onChange(choose(columns, choices, at, field))}
            />
          ),
        )}
      </ul>
      <p aria-live="polite" className="text-sm text-warn-ink empty:hidden">
        {moved}
      </p>
      {hasCrmIds(columns, choices) && (
        <div className="mt-3 max-w-sm">
          <Input
            label={t('Name of the CRM')}
            hint={t(
              'Required, because a column has CRM IDs. Lower case by convention, for example hubspot. Integrations use the same name.',
            )}
            error={isCrmMissing && t('Enter the name of the CRM, for example hubspot.')}
            required
            maxLength={MAX_CRM_NAME}
            value={crm}
            onChange={({ target }) => onCrm(target.value)}
          />
        </div>
      )}
      {columns.some((_, at) => fieldAt(columns, choices, at) === 'other_phone') && (
        <p className="mt-1 text-sm text-muted">
          {t('The other phone number is used where the phone number cell is empty.')}
        </p>
      )}
      {hides && (
        <Button size="small" className="mt-2" onClick={() => setShowsAll(true)}>
          {plural(blank, 'Show # empty column', 'Show # empty columns')}
        </Button>
      )}
    </>
  );
};

const ColumnField = ({
  column: { name, samples, certainty },
  field,
  isChosen,
  options,
  newField,
  proposed,
  filterableCount,
  onField,
  onNewField,
}: {
  readonly column: ImportColumn;
  readonly field: Target | null;
  readonly isChosen: boolean;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The field that the column creates. */
  readonly newField: NewField | undefined;
  /** The field that it could create. */
  readonly proposed: NewField | undefined;
  readonly filterableCount: number;
  readonly onField: (field: Target | null) => void;
  readonly onNewField: (field: NewField) => void;
}) => {
  const offered = newField ?? proposed;
  const isByName = field === 'crm_ids' && crmOf(name) !== undefined;
  const known = isByName ? 'name' : isChosen ? 'hand' : certainty;
  return (
    <li className="grid gap-x-5 gap-y-2 border-b border-line py-3 last:border-b-0 sm:grid-cols-[minmax(0,1fr)_15rem_10rem] sm:items-center">
      <div className="min-w-0">
        <p dir="auto" className="text-sm font-medium wrap-anywhere">
          {name}
        </p>
        <p dir="auto" className="truncate text-[0.8125rem] text-muted" title={samples.join('\n')}>
          {samples.length > 0 ? samples.join(' · ') : t('Empty in the first rows')}
        </p>
      </div>
      <Select
        label={t('Field of {name}', { name })}
        hideLabel
        value={newField ? CREATE : (field ?? '')}
        onChange={({ target: { value } }) => {
          if (value === CREATE && offered) onNewField(offered);
          else onField((value || null) as Target | null);
        }}
        placeholder={t('Skip')}
        options={[...(offered ? [{ value: CREATE, label: t('Create a field…') }] : []), ...options]}
      />
      <div className="max-sm:empty:hidden">
        {field !== null && known && (
          <Badge tone={known === 'content' ? 'warn' : known === 'name' ? 'good' : 'info'}>
            {newField ? t('New field') : certainties[known]}
          </Badge>
        )}
        {field === null && proposed && (
          <Button
            size="small"
            aria-label={t('Create field for {name}', { name })}
            onClick={() => onNewField(proposed)}
          >
            {t('Create field')}
          </Button>
        )}
      </div>
      {newField && (
        <NewFieldForm
          column={name}
          field={newField}
          filterableCount={filterableCount}
          onChange={onNewField}
        />
      )}
    </li>
  );
};
