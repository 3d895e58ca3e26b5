import { defaultKeymap } from '@codemirror/commands';
import { searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { lineEndings, readOnly } from '../detail/codemirror.ts';
import { jsonExtensions } from './json-extensions.ts';

/** A read-only view of JSON. */
const JsonText = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: container.current as HTMLElement,
      state: EditorState.create({
        doc: text,
        extensions: [
          jsonExtensions,
          lineEndings(text),
          readOnly(label),
          keymap.of([...searchKeymap, ...defaultKeymap]),
        ],
      }),
    });
    return () => view.destroy();
  }, [label, text]);
  return (
    <div
      ref={container}
      dir="ltr"
      className="overflow-clip rounded-lg border border-line [&_.cm-editor]:max-h-[60vh]"
    />
  );
};

export default JsonText;
