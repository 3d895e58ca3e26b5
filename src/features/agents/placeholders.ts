/** The placeholders of instructions, such as `{{first_name}}`. This file imports nothing, because the dashboard's build copies
 *  it, so that the editor and the service agree on placeholders and variables. */

/** The fields of a contact that instructions can use. A test keeps them equal to `contactFields`. */
export const contactVariables = [
  'id',
  'phone_number',
  'first_name',
  'last_name',
  'display_name',
  'email',
  'company',
  'notes',
  'tags',
  'source',
  'first_contact_at',
  'last_contact_at',
  'created_at',
  'updated_at',
  'crm_ids',
] as const;
export type ContactVariable = (typeof contactVariables)[number];

/** `{{…}}`, or a word in mistyped braces: `{{first_name`, `{{first_name}`, `{first_name}`. */
export const PLACEHOLDER = /\{\{([^{}]{0,100})\}\}|(\{\{?)\s*(\w+)(?:\s*\}\}?)?/g;

/** The meaning of a match of PLACEHOLDER; undefined for ordinary text. */
export type Meaning =
  | { readonly kind: 'known'; readonly variable: ContactVariable }
  | { readonly kind: 'unknown'; readonly name: string };

const variableNamed = (name: string): ContactVariable | undefined =>
  contactVariables.find((each) => each === name);

export const meaningOf = (match: RegExpMatchArray): Meaning | undefined => {
  const [text, content, open, word = ''] = match;
  if (content !== undefined) {
    const name = content.trim();
    const variable = variableNamed(name);
    return variable ? { kind: 'known', variable } : { kind: 'unknown', name };
  }
  // Single braces are common in plain text, so they count only if they contain the name of a variable.
  const isPlain = open === '{' && !(text.endsWith('}') && variableNamed(canonical(word)));
  return isPlain ? undefined : { kind: 'unknown', name: word };
};

/** The variables of a text, each once, in order of first use. */
export const variablesIn = (text: string): ContactVariable[] => {
  const meanings = [...text.matchAll(PLACEHOLDER)].map(meaningOf);
  return [...new Set(meanings.flatMap((each) => (each?.kind === 'known' ? [each.variable] : [])))];
};

export interface UnknownVariable {
  /** As written in the text. */
  readonly placeholder: string;
  readonly name: string;
}

/** The placeholders of a text that are not variables, each once, in order of first use. */
export const unknownVariablesIn = (text: string): UnknownVariable[] => {
  const found = new Map<string, UnknownVariable>();
  for (const match of text.matchAll(PLACEHOLDER)) {
    const meaning = meaningOf(match);
    const [placeholder] = match;
    if (meaning?.kind === 'unknown') found.set(placeholder, { placeholder, name: meaning.name });
  }
  return [...found.values()];
};

/** A part of a text whose variables were replaced by the values of a contact. */
export type RenderedPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly text: string; readonly variable: ContactVariable }
  /** The contact has no value. `text` is the placeholder, which becomes an empty text. */
  | { readonly kind: 'missing'; readonly text: string; readonly variable: ContactVariable }
  /** Not a variable. It remains as it is written. */
  | { readonly kind: 'unknown'; readonly text: string };

/** The value of a variable as text; empty if the contact has none. */
export const valueText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${each}`)
      .join(', ');
  return String(value);
};

/** Replaces the variables of a text by the values of a contact. */
export const renderParts = (text: string, contact: Readonly<Record<string, unknown>>): RenderedPart[] => {
  const parts: RenderedPart[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    const meaning = meaningOf(match);
    if (!meaning) continue;
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    const [placeholder] = match;
    end = match.index + placeholder.length;
    if (meaning.kind === 'unknown') {
      parts.push({ kind: 'unknown', text: placeholder });
      continue;
    }
    const { variable } = meaning;
    const value = valueText(contact[variable]);
    parts.push(
      value === ''
        ? { kind: 'missing', text: placeholder, variable }
        : { kind: 'value', text: value, variable },
    );
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
};

/** A name in the spelling of the variables: `Contact.firstName` is `first_name`. */
const canonical = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/\W+/g, '_')
    .replace(/^_|_$/g, '')
    .replace(/^contact_/, '');

export const MAX_EDITS = 2;

/** The Damerau–Levenshtein distance; more than MAX_EDITS is not computed exactly. */
export const editsBetween = (from: string, to: string): number => {
  if (Math.abs(from.length - to.length) > MAX_EDITS) return MAX_EDITS + 1;
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
};

/** The variable that was probably meant by an unknown name. */
export const suggestionFor = (name: string): ContactVariable | undefined => {
  const wanted = canonical(name);
  if (variableNamed(wanted)) return variableNamed(wanted);
  const [nearest] = contactVariables
    .map((variable) => ({ variable, edits: editsBetween(wanted, variable) }))
    .filter(({ edits }) => edits <= MAX_EDITS && edits < wanted.length / 2)
    .sort((one, other) => one.edits - other.edits);
  return nearest?.variable ?? contactVariables.find((each) => each.split('_').includes(wanted));
};
