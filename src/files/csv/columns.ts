import type { Notation } from './cells.ts';
import { type Field, fields, namedField, namesOtherData, namesOwnPhone, type Target } from './headers.ts';
import { looksLikeEmail, phoneLikeness } from './values.ts';

export interface Column {
  name: string;
  /** The first three cells that are not blank. */
  samples: string[];
  field: Target | null;
  /** How the field was determined: by the column's name, its content, or the user's choice. */
  certainty: (typeof certainties)[number] | null;
  /** How its first cells write numbers and dates; absent if they do not show it. */
  notation?: Notation;
}

export const certainties = ['name', 'content', 'hand'] as const;

export const truncate = (text: string, most = 200): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;

const isFilled = (text: string): boolean => text.trim() !== '';

const SAMPLES = 3;

export const samplesOf = (rows: readonly (readonly string[])[], index: number): string[] =>
  rows
    .map((row) => row[index] ?? '')
    .filter(isFilled)
    .slice(0, SAMPLES)
    .map((text) => truncate(text));

/** A column without a field yet. */
interface Candidate {
  index: number;
  header: string;
  values: string[];
}

/** Matches the columns of a file to fields, by the header, if there is one, and the first rows. */
export const matchColumns = (header: readonly string[] | null, rows: readonly (readonly string[])[]) => {
  const width = rows.reduce((most, row) => Math.max(most, row.length), header?.length ?? 0);
  const candidates = Array.from({ length: width }, (_, index) => ({
    index,
    header: header?.[index] ?? '',
    values: rows.map((row) => row[index] ?? '').filter(isFilled),
  }));
  const columns = candidates.map(
    ({ header, index }): Column => ({
      name: header.trim() === '' ? `Column ${index + 1}` : truncate(header.trim()),
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
  return columns;
};

/** The best name, among columns that are filled at least half as often as the fullest: a file whose column of mobile numbers
 *  is nearly empty has its numbers elsewhere. A column with Roster's own name of the field always wins. */
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

/** A column named as the contact's own number, at least half of whose cells can be phone numbers. */
const isOtherPhone = ({ header, values }: Candidate): boolean =>
  namesOwnPhone(header) && values.filter((value) => phoneLikeness(value) === 0).length * 2 <= values.length;

/** Columns without a field whose name allows a guess. */
const free = (candidates: Candidate[], columns: Column[]): Candidate[] =>
  candidates.filter(
    ({ index, header }) => columns[index]?.field === null && !namedField(header) && !namesOtherData(header),
  );

/** The column with the highest mean likeness, if more than half of its values have any. */
const bestByContent = (candidates: Candidate[], likeness: (value: string) => number) => {
  const scored = candidates
    .filter(({ values }) => values.length > 0)
    .map((candidate) => {
      const scores = candidate.values.map(likeness);
      const share = scores.filter((score) => score > 0).length / scores.length;
      return { candidate, share, mean: scores.reduce((sum, score) => sum + score, 0) / scores.length };
    });
  return scored.filter(({ share }) => share > 0.5).sort((left, right) => right.mean - left.mean)[0]
    ?.candidate;
};
