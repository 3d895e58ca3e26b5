import { type Field, fields, type Target } from '../../files/csv/headers.ts';
import { invalid, type Problem } from '../../lib/errors.ts';
import { reservedKeys } from '../fields/field.service.ts';
import type { Definitions } from '../fields/field.values.ts';
import { type Column, keyOf, VARIABLE } from './field.columns.ts';
import { DEFAULT_RULES, type ImportOptions, type NewField } from './import.schema.ts';

/** The user's choice: column index, counted from 0, or name to field, or to null to ignore the column. */
export type Mapping = Readonly<Record<string, string | null>>;

const INDEX = /^(?:0|[1-9]\d*)$/;
const indexOf = (columns: readonly Column[], key: string): number =>
  INDEX.test(key) && Number(key) < columns.length
    ? Number(key)
    : columns.findIndex(({ name }) => name === key);

export type CreatedFields = Readonly<Record<string, NewField>>;

/** The workspace's fields, and those to create, by column index or name. */
interface FieldChoices {
  readonly definitions: Definitions;
  readonly creates?: CreatedFields | undefined;
}

/** Replaces guesses with the user's choices. A guess also gives way if another column is chosen for its field. Throws if
 *  choices contradict each other, and if there is no phone number. A column whose field was archived since is ignored, and so is a
 *  guessed variable without a campaign. */
export const applyMapping = (
  columns: readonly Column[],
  mapping: Mapping = {},
  rules: Pick<ImportOptions, 'crm' | 'campaign_id'> = DEFAULT_RULES,
  { definitions, creates = {} }: FieldChoices = { definitions: new Map() },
): Column[] => {
  const created = Object.entries(creates);
  const newFields = new Map(created.map(([key, field]) => [indexOf(columns, key), field]));
  const targets = [
    ...Object.entries(mapping),
    ...created.map(([at, { key }]) => [at, `fields.${key}`] as const),
  ];
  const choices = new Map(targets.map(([key, field]) => [indexOf(columns, key), field]));
  const chosen = new Set(choices.values());
  const isKnown = (column: Column): boolean => {
    const key = keyOf(column);
    if (isVariable(column)) return rules.campaign_id !== null || column.certainty === 'hand';
    return key === undefined || column.creates !== undefined || definitions.get(key)?.archived_at === null;
  };
  const mapped = columns.map(({ creates, ...column }, index): Column => {
    const choice = choices.get(index);
    if (choice !== undefined) {
      const newField = newFields.get(index);
      const field = isTarget(choice) ? choice : null;
      return { ...column, field, certainty: 'hand', ...(newField && { creates: newField }) };
    }
    const isReplaced = column.field !== 'other_phone' && column.field !== null && chosen.has(column.field);
    const kept = { ...column, ...(creates && { creates }) };
    return isReplaced || !isKnown(kept) ? { ...column, field: null, certainty: null } : kept;
  });
  const problems = [
    ...phoneProblems(mapped, chosen),
    ...choiceProblems(targets, mapped),
    ...fieldProblems(mapped, { definitions, creates }),
    ...ruleProblems(mapped, rules),
  ];
  if (problems.length > 0) throw invalid(problems);
  return mapped;
};

/** The columns of each field. If there are several, the first that is not blank counts. */
export type ColumnIndexes = Partial<Record<Field, readonly number[]>>;

export const columnIndexes = (columns: readonly Column[]): ColumnIndexes => {
  const indexes: Partial<Record<Field, number[]>> = {};
  for (const [index, { field }] of columns.entries())
    if (field && isField(field)) indexes[field] = [...(indexes[field] ?? []), index];
  return indexes;
};

const isField = (name: string | null): name is Field => fields.some((field) => field === name);
const isVariable = ({ field }: Pick<Column, 'field'>): boolean => VARIABLE.test(field ?? '');
const isTarget = (name: string | null): name is Target =>
  isField(name) || /^fields\./.test(name ?? '') || VARIABLE.test(name ?? '');

const problem = (message: string): Problem => ({ field: 'columns', message });

const phoneProblems = (mapped: Column[], chosen: Set<string | null>): Problem[] => {
  if (chosen.has('phone_number') || mapped.some(({ field }) => field === 'phone_number')) return [];
  const names = mapped.map(({ name }) => JSON.stringify(name)).join(', ');
  return [
    problem(
      `must include a phone number. Map one of these to phone_number: ${names || 'the file has no columns'}.`,
    ),
  ];
};

const EXAMPLES = {
  crm: 'the name of the CRM, for example hubspot',
  campaign_id: 'the campaign in which the contacts are enrolled',
};

/** What the columns need to know besides. */
const ruleProblems = (mapped: Column[], rules: Pick<ImportOptions, 'crm' | 'campaign_id'>): Problem[] =>
  mapped.flatMap(({ name, field }): Problem[] => {
    const rule = field === 'crm_ids' ? 'crm' : isVariable({ field }) ? 'campaign_id' : undefined;
    if (rule === undefined || rules[rule] !== null) return [];
    const message = `is required, because ${JSON.stringify(name)} is mapped to ${field}. Send ${EXAMPLES[rule]}.`;
    return [{ field: rule, message }];
  });

const choiceProblems = (
  targets: readonly (readonly [string, string | null])[],
  mapped: Column[],
): Problem[] => {
  const problems: Problem[] = [];
  const places = new Set<number>();
  for (const [key, field] of targets) {
    const place = indexOf(mapped, key);
    if (places.has(place) && mapped[place])
      problems.push(problem(`have two choices for ${JSON.stringify(mapped[place].name)}. Send one of them.`));
    places.add(place);
    if (!mapped[place]) {
      const message = INDEX.test(key)
        ? `index ${key}. Indexes range from 0 to ${mapped.length - 1}.`
        : `${JSON.stringify(key)}. Available columns: ${mapped.map(({ name }) => name).join(', ')}.`;
      problems.push(problem(`do not include ${message}`));
    }
    if (field !== null && !isTarget(field)) {
      const allowed = [...fields, 'fields.<key>', 'variables.<name>'].join(', ');
      problems.push(problem(`cannot be mapped to ${JSON.stringify(field)}. Allowed fields: ${allowed}.`));
    }
  }
  for (const [field, columns] of Map.groupBy(mapped, (column) => column.field)) {
    const same = columns.map(({ name }) => JSON.stringify(name));
    if (same.length > 1 && field !== null && field !== 'other_phone')
      problems.push(problem(`${same.join(' and ')} are both mapped to ${field}. Map only one of them.`));
  }
  return problems;
};

const fieldProblems = (mapped: Column[], { definitions, creates = {} }: Required<FieldChoices>): Problem[] =>
  mapped.flatMap((column): Problem[] => {
    const key = keyOf(column);
    const field = definitions.get(key ?? '');
    if (key === undefined || (column.creates === undefined && field?.archived_at === null)) return [];
    if (column.creates === undefined)
      return [
        problem(
          field
            ? `cannot be mapped to fields.${key}, which is archived. Unarchive the field, or choose another.`
            : `cannot be mapped to fields.${key}: the workspace has no such field. Create it with create_fields.`,
        ),
      ];
    const isNew = Object.values(creates).includes(column.creates);
    const message = field
      ? `must not have the key ${key}, which is a field already. Map the column to fields.${key}, or choose another key.`
      : `must not have the key ${key}, which is a name that Roster uses. Choose another key.`;
    return isNew && (field || reservedKeys.has(key)) ? [{ field: 'create_fields', message }] : [];
  });
