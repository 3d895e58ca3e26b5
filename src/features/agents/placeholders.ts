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

/** A name in the spelling of the variables: `Contact.firstName` is `first_name`. */
const canonical = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/\W+/g, '_')
    .replace(/^_|_$/g, '')
    .replace(/^contact_/, '');

const MAX_EDITS = 2;

/** The Damerau–Levenshtein distance; more than MAX_EDITS is not computed exactly. */
const editsBetween = (from: string, to: string): number => {
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
