import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { offeredVariables, variableLabels } from '../variables.ts';

/** Replaces what was typed, and closing braces behind it, which some keyboards insert. */
const applyVariable = (view: EditorView, { label }: Completion, from: number, to: number): void => {
  const behind = /^\}{0,2}/.exec(view.state.sliceDoc(to, to + 2))?.[0].length ?? 0;
  view.dispatch({
    changes: { from, to: to + behind, insert: label },
    selection: { anchor: from + label.length },
    userEvent: 'input.complete',
  });
};

const options: readonly Completion[] = offeredVariables.map((name, at) => ({
  label: `{{${name}}}`,
  detail: variableLabels[name],
  // Keeps their order until something is typed.
  boost: -at,
  apply: applyVariable,
}));

/** Offers the fields of a contact after `{{`, and anywhere with Ctrl Space. */
export const completeVariable = (context: CompletionContext): CompletionResult | null => {
  const typed = context.matchBefore(/\{\{\w*/);
  if (!typed && !context.explicit) return null;
  return { from: typed?.from ?? context.pos, options, validFor: /^\{\{\w*$/ };
};
