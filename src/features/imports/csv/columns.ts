import { type Field, fields, namedField, namesOwnPhone, namesSomethingElse } from './headers.ts';
import { looksLikeEmail, phoneLikeness } from './values.ts';

export { type Field, fields } from './headers.ts';

export interface Column {
  name: string;
  /** The first three cells of the column that hold something. */
  samples: string[];
  field: Field | null;
  /** What the field is known by: the column's name, its content, or a person's choice. */
  certainty: (typeof certainties)[number] | null;
}

export const certainties = ['name', 'content', 'hand'] as const;

/** Enough of a text to recognize it. */
export const shown = (text: string, most = 200): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;

const isFilled = (text: string): boolean => text.trim() !== '';

const SAMPLES = 3;

/** The first cells of a column that hold something, of some rows. */
export const samplesOf = (rows: readonly (readonly string[])[], index: number): string[] =>
  rows
    .map((row) => row[index] ?? '')
    .filter(isFilled)
    .slice(0, SAMPLES)
    .map((text) => shown(text));

/** One column while its field is looked for. */
interface Candidate {
  index: number;
  header: string;
  values: string[];
}

/** Matches the columns of a file to fields, by the header where there is one and by rows from the beginning. */
export const matchColumns = (
  header: readonly string[] | null,
  rows: readonly (readonly string[])[],
): { columns: Column[] } => {
  const width = rows.reduce((most, row) => Math.max(most, row.length), header?.length ?? 0);
  const candidates = Array.from({ length: width }, (_, index) => ({
    index,
    header: header?.[index] ?? '',
    values: rows.map((row) => row[index] ?? '').filter(isFilled),
  }));
  const columns = candidates.map(
    ({ header, index }): Column => ({
      name: header.trim() === '' ? `Column ${index + 1}` : shown(header.trim()),
      samples: samplesOf(rows, index),
      field: null,
      certainty: null,
    }),
  );
  const assign = (field: Field, certainty: 'name' | 'content', chosen: Candidate | undefined) => {
    const column = chosen && columns[chosen.index];
    if (column) Object.assign(column, { field, certainty });
  };
  for (const field of fields) assign(field, 'name', bestByName(candidates, field));
  const isMatched = (field: Field) => columns.some((column) => column.field === field);
  if (!isMatched('phone_number')) {
    const identity = columns.find((column) => column.field === 'normalized_phone');
    if (identity) identity.field = 'phone_number';
    else assign('phone_number', 'content', bestByContent(free(candidates, columns), phoneLikeness));
  }
  for (const candidate of candidates) {
    const isFree = columns[candidate.index]?.field === null;
    if (isFree && isMatched('phone_number') && isOtherPhone(candidate))
      assign('other_phone', 'name', candidate);
  }
  if (!isMatched('email')) {
    const likeness = (value: string) => Number(looksLikeEmail(value));
    assign('email', 'content', bestByContent(free(candidates, columns), likeness));
  }
  return { columns };
};

/** The best name, among the columns that are filled at least half as often as the fullest: a file whose mobile numbers are
 *  nearly all missing has its numbers elsewhere. A column with Roster's own name for the field is always taken. */
const bestByName = (candidates: Candidate[], field: Field): Candidate | undefined => {
  const named = candidates
    .map((candidate) => ({ candidate, match: namedField(candidate.header) }))
    .filter(({ match }) => match?.field === field)
    .map(({ candidate, match }) => ({ candidate, rank: match?.rank ?? 0 }));
  const fullest = Math.max(0, ...named.map(({ candidate }) => candidate.values.length));
  return named
    .filter(({ candidate, rank }) => rank < 0 || candidate.values.length * 2 >= fullest)
    .sort((left, right) => left.rank - right.rank)[0]?.candidate;
};

/** A column named as the contact's own number, whose cells do not speak against it. */
const isOtherPhone = ({ header, values }: Candidate): boolean =>
  namesOwnPhone(header) && values.filter((value) => phoneLikeness(value) === 0).length * 2 <= values.length;

/** Columns whose field is open and whose name does not speak against a guess. */
const free = (candidates: Candidate[], columns: Column[]): Candidate[] =>
  candidates.filter(
    ({ index, header }) =>
      columns[index]?.field === null && !namedField(header) && !namesSomethingElse(header),
  );

/** The column whose values look most like it, where more than half of them do. */
const bestByContent = (
  candidates: Candidate[],
  likeness: (value: string) => number,
): Candidate | undefined => {
  const judged = candidates
    .filter(({ values }) => values.length > 0)
    .map((candidate) => {
      const marks = candidate.values.map(likeness);
      const alike = marks.filter((mark) => mark > 0).length / marks.length;
      return { candidate, alike, mean: marks.reduce((sum, mark) => sum + mark, 0) / marks.length };
    });
  return judged.filter(({ alike }) => alike > 0.5).sort((left, right) => right.mean - left.mean)[0]
    ?.candidate;
};
