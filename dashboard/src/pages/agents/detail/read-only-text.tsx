import { defaultKeymap } from '@codemirror/commands';
import { searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { lineEndings, readOnly } from './codemirror.ts';

/** A text that can be read and searched. The extensions must not change with each render. */
export const ReadOnlyText = ({
  label,
  text,
  extensions,
  dir,
}: {
  readonly label: string;
  readonly text: string;
  readonly extensions: Extension;
  readonly dir?: 'ltr';
}) => {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: container.current as HTMLElement,
      state: EditorState.create({
        doc: text,
        extensions: [
          extensions,
          lineEndings(text),
          readOnly(label),
          keymap.of([...searchKeymap, ...defaultKeymap]),
        ],
      }),
    });
    return () => view.destroy();
  }, [label, text, extensions]);
  return (
    <div
      ref={container}
      dir={dir}
      className="overflow-clip rounded-lg border border-line [&_.cm-editor]:max-h-[60vh]"
    />
  );
};
