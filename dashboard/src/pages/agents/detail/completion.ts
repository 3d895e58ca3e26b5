import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { Facet } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { t } from '../../../lib/i18n.ts';
import type { Variable, Variables } from '../variables.ts';

/** The variables that the text can use; undefined while they load. */
export const knownVariables = Facet.define<Variables | undefined, Variables | undefined>({
  combine: ([first]) => first,
});

/** Replaces what was typed, and closing braces behind it, which some keyboards insert. The caret is `back` characters before the
 *  end. */
const insertion =
  (text: string, back = 0) =>
  (view: EditorView, _: Completion, from: number, to: number): void => {
    const behind = /^\}{0,2}/.exec(view.state.sliceDoc(to, to + 2))?.[0].length ?? 0;
    view.dispatch({
      changes: { from, to: to + behind, insert: text },
      selection: { anchor: from + text.length - back },
      userEvent: 'input.complete',
    });
  };

const plain = ({ name, label }: Variable, at: number): Completion => ({
  label: `{{${name}}}`,
  detail: label,
  // Keeps their order until something is typed.
  boost: -at,
  apply: insertion(`{{${name}}}`),
});

/** The caret is where the fallback is typed. */
const withFallback = ({ name }: Variable): Completion => ({
  label: `{{${name}|…}}`,
  detail: t('with a fallback'),
  boost: -99,
  apply: insertion(`{{${name}|}}`, 2),
});

/** Offers variables after `{{`, and anywhere with Ctrl Space. Once something is typed, each is also offered with a fallback. */
export const completeVariable = (context: CompletionContext): CompletionResult | null => {
  const typed = context.matchBefore(/\{\{\s*[\w.]*/);
  const offered = context.state.facet(knownVariables)?.offered;
  if (!offered || (!typed && !context.explicit)) return null;
  const hasName = typed !== null && /\w/.test(typed.text);
  return {
    from: typed?.from ?? context.pos,
    options: hasName ? [...offered.map(plain), ...offered.map(withFallback)] : offered.map(plain),
    validFor: hasName ? /^\{\{\s*\w[\w.]*$/ : /^\{\{\s*$/,
  };
};
