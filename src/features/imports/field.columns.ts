import { type CellContext, cellValue, guessType, NO_NOTATION, notationOf } from '../../files/csv/cells.ts';
import type { Column as FileColumn } from '../../files/csv/columns.ts';
import { plainName, type Target } from '../../files/csv/headers.ts';
import { unescapeCell } from '../../files/csv/write.ts';
import { reservedKeys } from '../fields/field.service.ts';
import {
  type Definitions,
  type FieldDefinition,
  type FieldValue,
  KEY_PATTERN,
  readValue,
} from '../fields/field.values.ts';
import type { NewField } from './import.schema.ts';

/** A column of an import. */
export interface Column extends FileColumn {
  /** The field that applying the import creates. */
  creates?: NewField;
}

/** What the cells of fields are read with. */
export interface ImportFields {
  readonly definitions: Definitions;
  /** The zone of times without one. */
  readonly zone: string;
  /** The variables that the campaign's agent declares; undefined without a campaign. */
  readonly declared?: readonly string[] | undefined;
}
export const NO_FIELDS: ImportFields = { definitions: new Map(), zone: 'UTC' };

/** The key of the field that a column is mapped to. */
export const keyOf = ({ field }: Pick<Column, 'field'>): string | undefined =>
  field?.startsWith('fields.') ? field.slice('fields.'.length) : undefined;

/** A column that is mapped to a variable of the enrollment. */
export const VARIABLE = new RegExp(String.raw`^variables\.(${KEY_PATTERN.slice(1, -1)})$`);

const NEVER = { indexed: false, archived_at: null, created_at: '', updated_at: '' };

/** The workspace's fields and those that the columns create. */
export const withCreated = (definitions: Definitions, columns: readonly Column[]): Definitions => {
  const created = columns.flatMap(({ creates }): [string, FieldDefinition][] =>
    creates && !definitions.has(creates.key)
      ? [[creates.key, { options: null, filterable: false, ...creates, ...NEVER }]]
      : [],
  );
  return created.length > 0 ? new Map([...definitions, ...created]) : definitions;
};

export const isActive = ({ archived_at }: FieldDefinition): boolean => archived_at === null;

/** Maps columns without a field to those of the workspace, by key or label, or to variables of the campaign, and notes how each column
 *  writes numbers and dates. A workbook writes decimals with a point, and so does an export of Roster. */
export const matchFields = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { definitions, declared, isWorkbook }: Omit<ImportFields, 'zone'> & { isWorkbook: boolean },
): Column[] => {
  const byName = new Map<string, Target>();
  for (const field of [...definitions.values()].filter(isActive))
    for (const name of [`fields.${field.key}`, field.key, field.label])
      if (!byName.has(plainName(name))) byName.set(plainName(name), `fields.${field.key}`);
  for (const name of declared ?? [])
    if (!byName.has(plainName(name))) byName.set(plainName(name), `variables.${name}`);
  const targetOf = (name: string) =>
    byName.get(plainName(name)) ?? (declared && (VARIABLE.exec(name.trim().toLowerCase())?.[0] as Target));
  const used = new Set(columns.map(({ field }) => field));
  return columns.map((column, at): Column => {
    const { decimal, dates } = column.notation ?? notationOf(rows.map((row) => row[at] ?? ''));
    const usual = isWorkbook || column.name.startsWith('fields.') ? '.' : null;
    const known = decimal ?? usual;
    const noted = known || dates ? { ...column, notation: { decimal: known, dates } } : column;
    const field = targetOf(column.name);
    if (field === undefined || used.has(field) || column.field !== null || column.certainty) return noted;
    used.add(field);
    return { ...noted, field, certainty: 'name' };
  });
};

type Cell = { readonly value: FieldValue } | { readonly problem: string };

/** Reads the cells of a column as values of a field, or of a variable. */
export interface FieldCells {
  readonly into: 'fields' | 'variables';
  readonly key: string;
  readonly cellOf: (cells: readonly string[]) => Cell | undefined;
}

const readCell = (field: FieldDefinition, cell: string, context: CellContext): Cell => {
  const value = cellValue(field.type, cell, context);
  return typeof value === 'object' ? { problem: value.ambiguous } : readValue(field, value);
};

/** A variable is text, as it stands in the file. */
const VARIABLE_TEXT = { label: '', type: 'text', options: null, filterable: false, ...NEVER } as const;

/** The columns that are mapped to fields and variables. One whose field is unknown is ignored. */
export const fieldCells = (
  columns: readonly Column[],
  { definitions, zone }: ImportFields,
): readonly FieldCells[] =>
  columns.flatMap((column, at): FieldCells[] => {
    const [, variable] = VARIABLE.exec(column.field ?? '') ?? [];
    const field = variable ? { key: variable, ...VARIABLE_TEXT } : definitions.get(keyOf(column) ?? '');
    if (!field) return [];
    const context = { notation: column.notation ?? NO_NOTATION, zone, options: field.options };
    const cellOf = (cells: readonly string[]) => {
      const text = unescapeCell(cells[at] ?? '');
      return text.trim() === '' ? undefined : readCell(field, text, context);
    };
    return [{ into: variable ? 'variables' : 'fields', key: field.key, cellOf }];
  });

const MAX_KEY = 40;

/** A valid key from the name of a column. */
const proposedKey = (name: string, at: number, isTaken: (key: string) => boolean): string => {
  const plain = plainName(name, '_').replace(/[^a-z0-9_]/g, '');
  const base = /^[a-z]/.test(plain) ? plain.slice(0, MAX_KEY) : `column_${at + 1}`;
  for (let number = 1; ; number++) {
    const key = number === 1 ? base : `${base.slice(0, MAX_KEY - 4)}_${number}`;
    if (!isTaken(key)) return key;
  }
};

const MAX_LABEL = 100;

/** The name of a column as people write it: `renewal_date` is “Renewal date”. */
const proposedLabel = (name: string): string => {
  if (!/^\p{Ll}[\p{Ll}\d_]*$/u.test(name)) return name;
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The fields that could be created from the columns without one. */
export const suggestFields = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  definitions: Definitions,
): (NewField | null)[] => {
  const taken = new Set<string>();
  return columns.map(({ name: header, field, samples }, at): NewField | null => {
    if (field !== null || samples.length === 0) return null;
    const name = header.trim().replace(/^variables\.(?=.)/i, '');
    const key = proposedKey(
      name,
      at,
      (each) => taken.has(each) || definitions.has(each) || reservedKeys.has(each),
    );
    taken.add(key);
    const label = [...proposedLabel(name)].slice(0, MAX_LABEL).join('');
    const { type, options } = guessType(rows.map((row) => row[at] ?? ''));
    return { key, label, type, ...(options && { options }) };
  });
};

/** A column as the API shows it. */
export const shownColumn = (
  { notation: _, creates, ...column }: Column,
  suggestion: NewField | null = null,
) => ({
  ...column,
  creates: creates ?? null,
  suggestion,
});
