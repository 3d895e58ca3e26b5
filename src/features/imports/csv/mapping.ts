import { invalid, type Problem } from '../../../lib/errors.ts';
import type { Column } from './columns.ts';
import { type Field, fields } from './headers.ts';

/** A person's choice: the number of a column, counted from 0, and the field it is, or null for none. An array chooses for
 *  every column. */
export type Mapping = Readonly<Record<number, string | null>>;

/** The columns with a person's choices in the place of guesses. A guess gives way to a choice of the same field in
 *  another column. Refuses choices that contradict each other and a file without a phone number, and says the latter
 *  first. */
export const applyMapping = (columns: readonly Column[], mapping: Mapping = {}): Column[] => {
  const choices = new Map(Object.entries(mapping));
  const chosen = new Set(choices.values());
  const mapped = columns.map((column, index): Column => {
    const choice = choices.get(String(index));
    if (choice !== undefined) {
      return {
        ...column,
        field: isField(choice) ? choice : null,
        certainty: choice === null ? null : 'hand',
      };
    }
    const givesWay = column.field !== 'other_phone' && column.field !== null && chosen.has(column.field);
    return givesWay ? { ...column, field: null, certainty: null } : column;
  });
  const problems = [...phoneProblems(mapped, chosen), ...choiceProblems(columns, choices, mapped)];
  if (problems.length > 0) throw invalid(problems);
  return mapped;
};

/** Where each field of a record is found: in one column, or in the first of several that holds something. */
export type Places = Partial<Record<Field, readonly number[]>>;

export const columnIndexes = (columns: readonly Column[]): Places =>
  Object.fromEntries(
    fields
      .map(
        (field) =>
          [field, columns.flatMap((column, index) => (column.field === field ? [index] : []))] as const,
      )
      .filter(([, indexes]) => indexes.length > 0),
  );

const isField = (name: string | null): name is Field => fields.some((field) => field === name);

const problem = (message: string): Problem => ({ field: 'columns', message });

const phoneProblems = (mapped: Column[], chosen: Set<string | null>): Problem[] => {
  if (chosen.has('phone_number') || mapped.some(({ field }) => field === 'phone_number')) return [];
  const names = mapped.map(({ name }) => JSON.stringify(name)).join(', ');
  return [
    problem(
      `none is the phone number. Say which of these is mapped to phone_number: ${names || 'there are none'}.`,
    ),
  ];
};

const choiceProblems = (
  columns: readonly Column[],
  choices: Map<string, string | null>,
  mapped: Column[],
): Problem[] => {
  const problems: Problem[] = [];
  for (const [index, field] of choices) {
    if (!/^(?:0|[1-9]\d*)$/.test(index) || columns[Number(index)] === undefined) {
      problems.push(
        problem(`there is no column ${index}; they are counted from 0 to ${columns.length - 1}.`),
      );
    }
    if (field !== null && !isField(field)) {
      problems.push(problem(`${JSON.stringify(field)} is not a field. Fields: ${fields.join(', ')}.`));
    }
  }
  for (const field of fields) {
    const same = mapped.filter((column) => column.field === field).map(({ name }) => JSON.stringify(name));
    if (same.length > 1 && field !== 'other_phone')
      problems.push(problem(`${same.join(' and ')} are both mapped to ${field}; one can be.`));
  }
  return problems;
};
