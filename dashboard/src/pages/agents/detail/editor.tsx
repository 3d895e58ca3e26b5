import { autocompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder, tooltips } from '@codemirror/view';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { useVariables } from '../variables.ts';
import { baseExtensions, lineEndings, phrases } from './codemirror.ts';
import { completeVariable, knownVariables } from './completion.ts';
import { caretAbove, followBar } from './reveal-caret.ts';

export interface EditorProps {
  /** The id of the agent. */
  readonly agent: string;
  readonly label: string;
  readonly describedBy: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Set to a function that inserts a text at the cursor. */
  readonly insert: RefObject<((text: string) => void) | null>;
  /** The bar at the bottom, which may be in front of the editor. */
  readonly bar: RefObject<HTMLElement | null>;
}

/** A plain-text editor. Tab leaves it, as in other fields. */
const Editor = ({ agent, label, describedBy, value, onChange, insert, bar }: EditorProps) => {
  const container = useRef<HTMLDivElement>(null);
  const variables = useVariables(agent);
  const [compartment] = useState(() => new Compartment());
  const view = useRef<EditorView>(null);
  const lastValue = useRef(value);
  const latest = useRef(onChange);
  latest.current = onChange;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect below applies later values
  useEffect(() => {
    const created = new EditorView({
      parent: container.current as HTMLElement,
      state: EditorState.create({
        doc: value,
        extensions: [
          history(),
          keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
          search({ top: true }),
          highlightSelectionMatches(),
          placeholder(t('You are the receptionist of …')),
          // Outside the editor, because the bar at its bottom would cover them.
          tooltips({ parent: container.current?.closest('main') ?? document.body }),
          autocompletion({ override: [completeVariable], icons: false }),
          lineEndings(value),
          compartment.of(knownVariables.of(variables)),
          baseExtensions,
          caretAbove(bar),
          phrases,
          EditorView.contentAttributes.of({
            'aria-label': label,
            'aria-describedby': describedBy,
            tabindex: '0',
            spellcheck: 'true',
            autocorrect: 'on',
            autocapitalize: 'sentences',
          }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return;
            lastValue.current = state.sliceDoc();
            latest.current(lastValue.current);
          }),
        ],
      }),
    });
    view.current = created;
    insert.current = (text) => {
      const { from, to } = created.state.selection.main;
      const selection = { anchor: from + text.length };
      created.dispatch({
        changes: { from, to, insert: text },
        selection,
        scrollIntoView: true,
        userEvent: 'input',
      });
      created.focus();
    };
    const unfollow = followBar(created, bar.current);
    return () => {
      insert.current = null;
      unfollow();
      created.destroy();
    };
  }, [label, describedBy]);

  useEffect(() => {
    view.current?.dispatch({ effects: compartment.reconfigure(knownVariables.of(variables)) });
  }, [compartment, variables]);

  useEffect(() => {
    const { current } = view;
    if (!current || value === lastValue.current) return;
    lastValue.current = value;
    current.dispatch({
      changes: { from: 0, to: current.state.doc.length, insert: current.state.toText(value) },
    });
  }, [value]);

  return <div ref={container} className="isolate [&_.cm-editor]:max-h-[70vh] [&_.cm-editor]:min-h-72" />;
};

export default Editor;
