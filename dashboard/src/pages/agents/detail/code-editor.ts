import { autocompletion, type CompletionSource } from '@codemirror/autocomplete';
import { history } from '@codemirror/commands';
import { Compartment, EditorState, type Extension, Text } from '@codemirror/state';
import { EditorView, tooltips } from '@codemirror/view';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { lineEnd, lineEndings } from './codemirror.ts';
import { caretAbove, followBar } from './reveal-caret.ts';

export interface EditedText {
  readonly label: string;
  readonly describedBy?: string | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** The bar at the bottom, which may be in front of the editor. */
  readonly bar?: RefObject<HTMLElement | null> | undefined;
}

interface Setup {
  readonly extensions: readonly Extension[];
  readonly complete: CompletionSource;
  /** What completion knows. The editor follows its changes, so it must be memoized. */
  readonly context: Extension;
  readonly attributes: Readonly<Record<string, string>>;
}

/** An editor of plain text in the container. Tab leaves it, as in other fields. */
export const useCodeEditor = (
  { label, describedBy, value, onChange, bar }: EditedText,
  { extensions, complete, context, attributes }: Setup,
) => {
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const [{ endings, known }] = useState(() => ({ endings: new Compartment(), known: new Compartment() }));
  const lastValue = useRef(value);
  const latest = useRef(onChange);
  latest.current = onChange;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effects below apply later values
  useEffect(() => {
    const { current } = container;
    const created = new EditorView({
      parent: current as HTMLElement,
      state: EditorState.create({
        doc: value,
        extensions: [
          history(),
          ...extensions,
          // Outside the editor, because the bar at its bottom would cover them.
          tooltips({ parent: current?.closest<HTMLElement>('[role=dialog], main') ?? document.body }),
          autocompletion({ override: [complete], icons: false }),
          endings.of(lineEndings(value)),
          known.of(context),
          ...(bar ? [caretAbove(bar)] : []),
          EditorView.contentAttributes.of({
            'aria-label': label,
            ...(describedBy && { 'aria-describedby': describedBy }),
            tabindex: '0',
            ...attributes,
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
    const unfollow = bar && followBar(created, bar.current);
    return () => {
      unfollow?.();
      created.destroy();
    };
  }, [label, describedBy]);

  useEffect(() => {
    view.current?.dispatch({ effects: known.reconfigure(context) });
  }, [known, context]);

  useEffect(() => {
    const { current } = view;
    if (!current || value === lastValue.current) return;
    lastValue.current = value;
    const insert = Text.of(value.split(lineEnd(value)));
    current.dispatch({
      changes: { from: 0, to: current.state.doc.length, insert },
      effects: endings.reconfigure(lineEndings(value)),
    });
  }, [endings, value]);

  return { container, view };
};
