import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete';
import { Facet } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { t } from '../../../lib/i18n.ts';
import { type Caret, caretAt, namesAround } from './scan.ts';
import { emptyValue, type Property, propertiesAt, type SchemaObject, valuesAt } from './schema.ts';

/** The schema of the edited JSON. */
export const editedSchema = Facet.define<SchemaObject | undefined, SchemaObject | undefined>({
  combine: ([first]) => first,
});

const replace = (view: EditorView, from: number, to: number, text: string, back: number): void =>
  view.dispatch({
    changes: { from, to: Math.max(to, caretAt(view.state.doc.toString(), to)?.to ?? to), insert: text },
    selection: { anchor: from + text.length - back },
    scrollIntoView: true,
    userEvent: 'input.complete',
  });

/** A comma separates what is inserted from the next member. */
const commaBefore = (next: string | undefined): string =>
  next !== undefined && /^["{[\w-]/.test(next) ? ',' : '';

const nameCompletion = (
  { name, types, description, isRequired, hasValues }: Property,
  at: number,
  { next }: Caret,
): Completion => ({
  label: JSON.stringify(name),
  detail: [types.join(' | '), isRequired && t('required')].filter(Boolean).join(', '),
  ...(description && { info: description }),
  boost: -at,
  apply: (view, _, from, to) => {
    if (next === ':') return replace(view, from, to, JSON.stringify(name), 0);
    const [value, back] = hasValues ? ['', 0] : emptyValue(types);
    const comma = commaBefore(next);
    replace(view, from, to, `${JSON.stringify(name)}: ${value}${comma}`, back + comma.length);
    if (hasValues) setTimeout(() => startCompletion(view));
  },
});

/** Offers names and values that the schema has. */
export const completeFromSchema = ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
  const schema = state.facet(editedSchema);
  const text = state.doc.toString();
  const caret = schema && caretAt(text, pos);
  if (!caret || (!explicit && caret.from === pos)) return null;
  const validFor = /^"?[^",:{}[\]\n]*$/;
  if (caret.kind === 'name') {
    const present = namesAround(text, caret);
    const offered = propertiesAt(schema, caret.path).filter(({ name }) => !present.has(name));
    return {
      from: caret.from,
      options: offered.map((each, at) => nameCompletion(each, at, caret)),
      validFor,
    };
  }
  const options = valuesAt(schema, caret.path).map(
    ({ json, isDefault }, at): Completion => ({
      label: json,
      ...(isDefault && { detail: t('default') }),
      boost: -at,
      apply: (view, _, from, to) => replace(view, from, to, json + commaBefore(caret.next), 0),
    }),
  );
  return { from: caret.from, options, validFor };
};
