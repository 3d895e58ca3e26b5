/** The placeholders of instructions, such as `{{first_name}}` (see docs/variables.md). This file imports nothing, because the dashboard's build copies
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

/** The names that instructions can use. */
export type Names = ReadonlySet<string>;
const builtIn: Names = new Set(contactVariables);

/** The contact's own variables, contact fields by `fields.key` and by their bare key, and names that an agent declares. */
export const namesWith = (fields: Iterable<string>, declared: Iterable<string>): Names =>
  new Set([...contactVariables, ...[...fields].flatMap((key) => [key, `${FIELDS}${key}`]), ...declared]);
export const FIELDS = 'fields.';

/** `{{{{`, which stands for `{{`; `{{name}}` or `{{name|fallback}}`; or a word in mistyped braces: `{{first_name`, `{{first_name}`,
 *  `{first_name}`. */
export const PLACEHOLDER =
  /\{\{\{\{|\{\{([^{}|]{0,100})(?:\|([^{}]*))?\}\}|(\{\{?)\s*(\w+(?:\.\w+)*)(?:\s*(?:\|[^{}]*)?\}\}?)?/g;

/** Whether a match of PLACEHOLDER is a known name or an unknown one; undefined for ordinary text. */
export const meaningOf = (match: RegExpMatchArray, names: Names) => {
  const part = partOf(match);
  if (typeof part === 'string') return undefined;
  const kind = kindOf(part, names);
  return kind && { kind, name: part.name };
};

/** A placeholder, with its name and its fallback, both without the whitespace around them. */
interface Placeholder {
  /** As written in the text. */
  readonly written: string;
  readonly name: string;
  readonly fallback: string | undefined;
  /** Whether a value can replace it. It cannot if the braces are mistyped. */
  readonly isComplete: boolean;
}

/** A text that was parsed: ordinary texts, in which `{{{{` is `{{`, and placeholders. */
export type Template = readonly (string | Placeholder)[];

const partOf = (match: RegExpMatchArray): string | Placeholder => {
  const [written, content, fallback, , word = ''] = match;
  if (written === '{{{{') return '{{';
  const isComplete = content !== undefined;
  return { written, name: (content ?? word).trim(), fallback: fallback?.trim(), isComplete };
};

type Kind = 'known' | 'unknown';

const kindOf = ({ written, name, isComplete }: Placeholder, names: Names): Kind | undefined => {
  if (isComplete) return names.has(name) ? 'known' : 'unknown';
  // Single braces are common in plain text, so they count only if they contain the name of a variable.
  const isName = names.has(name) || names.has(canonical(name));
  const isPlain = !written.startsWith('{{') && !(written.endsWith('}') && isName);
  return isPlain ? undefined : 'unknown';
};

export const parseTemplate = (text: string): Template => {
  const parts: (string | Placeholder)[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(partOf(match));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
};

const placeholdersIn = (text: string, kind: Kind, names: Names): Placeholder[] =>
  parseTemplate(text).filter(
    (part): part is Placeholder => typeof part !== 'string' && kindOf(part, names) === kind,
  );

/** The names in complete placeholders, known or not. */
export const namesIn = (template: Template): Set<string> =>
  new Set(template.flatMap((part) => (typeof part !== 'string' && part.isComplete ? [part.name] : [])));

/** The variables of a text, each once, in order of first use. */
export const variablesIn = (text: string, names: Names = builtIn): string[] => [
  ...new Set(placeholdersIn(text, 'known', names).map(({ name }) => name)),
];

export interface UnknownVariable {
  /** As written in the text. */
  readonly placeholder: string;
  readonly name: string;
}

/** The placeholders of a text that are not variables, each once, in order of first use. */
export const unknownVariablesIn = (text: string, names: Names = builtIn): UnknownVariable[] => {
  const found = placeholdersIn(text, 'unknown', names);
  const byText = new Map(found.map(({ written, name }) => [written, { placeholder: written, name }]));
  return [...byText.values()];
};

/** A part of a text whose variables were replaced by values. */
export type RenderedPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value' | 'fallback'; readonly text: string; readonly variable: string }
  /** There is no value and no fallback: a hole. `text` is the placeholder, which becomes an empty text. */
  | { readonly kind: 'missing'; readonly text: string; readonly variable: string }
  /** Not a variable. It remains as it is written. */
  | { readonly kind: 'unknown'; readonly text: string };

/** A value as text; empty if there is none. */
export const valueText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${valueText(each)}`)
      .join(', ');
  return String(value);
};

/** The text of a name's value; empty if there is none. It is called only for complete placeholders. */
export type LookUp = (name: string) => string;

/** Replaces placeholders by values. A value is inserted once and never parsed. A name that has a value need not be known. */
export const partsOf = (template: Template, lookUp: LookUp, names: Names): RenderedPart[] =>
  template.map((part): RenderedPart => {
    if (typeof part === 'string') return { kind: 'text', text: part };
    const { written: text, name: variable, fallback, isComplete } = part;
    const value = isComplete ? lookUp(variable) : '';
    if (value !== '') return { kind: 'value', text: value, variable };
    const kind = kindOf(part, names);
    if (kind !== 'known') return { kind: kind ?? 'text', text };
    return fallback === undefined
      ? { kind: 'missing', text, variable }
      : { kind: 'fallback', text: fallback, variable };
  });

export interface Rendered {
  readonly text: string;
  /** The text of each value that was inserted, by the name in its placeholder. */
  readonly used: Readonly<Record<string, string>>;
  /** Known names without a value and without a fallback, each once, in order of first use. */
  readonly holes: readonly string[];
}

/** The text that a runtime uses. Holes become empty texts, and unknown placeholders remain as they are written. */
export const render = (template: Template, lookUp: LookUp, names: Names): Rendered => {
  const used: Record<string, string> = {};
  const holes = new Set<string>();
  let text = '';
  for (const part of partsOf(template, lookUp, names)) {
    if (part.kind === 'missing') holes.add(part.variable);
    else text += part.text;
    if (part.kind === 'value') used[part.variable] = part.text;
  }
  return { text, used, holes: [...holes] };
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
export const suggestionFor = (name: string, names: Names = builtIn): string | undefined => {
  const wanted = canonical(name);
  if (names.has(wanted)) return wanted;
  const all = [...names];
  const [nearest] = all
    .map((variable) => ({ variable, edits: editsBetween(wanted, variable) }))
    .filter(({ edits }) => edits <= MAX_EDITS && edits < wanted.length / 2)
    .sort((one, other) => one.edits - other.edits);
  return nearest?.variable ?? all.find((each) => wanted !== '' && each.split('_').includes(wanted));
};
