import { defaultKeymap, historyKeymap } from '@codemirror/commands';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { type RefObject, useEffect, useMemo } from 'react';
import { t } from '../../../lib/i18n.ts';
import { useVariables } from '../variables.ts';
import { type EditedText, useCodeEditor } from './code-editor.ts';
import { baseExtensions, phrases } from './codemirror.ts';
import { completeVariable, knownVariables } from './completion.ts';

const extensions = [
  keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
  search({ top: true }),
  highlightSelectionMatches(),
  placeholder(t('You are the receptionist of …')),
  baseExtensions,
  phrases,
];
const attributes = { spellcheck: 'true', autocorrect: 'on', autocapitalize: 'sentences' };

/** What other controls do in the editor. */
export interface EditorActions {
  /** Inserts a text at the cursor. */
  readonly insert: (text: string) => void;
  /** Moves the cursor to the beginning of a line. */
  readonly goTo: (line: number) => void;
}

export interface EditorProps extends EditedText {
  /** The id of the agent. */
  readonly agent: string;
  readonly actions: RefObject<EditorActions | null>;
}

/** An editor of instructions, which completes and marks variables. */
const Editor = ({ agent, actions, ...edited }: EditorProps) => {
  const variables = useVariables(agent);
  const context = useMemo(() => knownVariables.of(variables), [variables]);
  const { container, view } = useCodeEditor(edited, {
    extensions,
    complete: completeVariable,
    context,
    attributes,
  });

  useEffect(() => {
    actions.current = {
      insert: (text) => {
        const editor = view.current;
        if (!editor) return;
        const { from, to } = editor.state.selection.main;
        editor.dispatch({
          changes: { from, to, insert: text },
          selection: { anchor: from + text.length },
          scrollIntoView: true,
          userEvent: 'input',
        });
        editor.focus();
      },
      goTo: (line) => {
        const editor = view.current;
        if (!editor) return;
        const { from } = editor.state.doc.line(Math.min(line, editor.state.doc.lines));
        editor.focus();
        editor.dispatch({
          selection: { anchor: from },
          effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: 12 }),
        });
      },
    };
    return () => {
      actions.current = null;
    };
  }, [actions, view]);

  return <div ref={container} className="isolate [&_.cm-editor]:max-h-[70vh] [&_.cm-editor]:min-h-72" />;
};

export default Editor;
