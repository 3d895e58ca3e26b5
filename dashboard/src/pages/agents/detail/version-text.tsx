import { defaultKeymap } from '@codemirror/commands';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useVariables } from '../variables.ts';
import { baseExtensions, lineEndings, phrases, readOnly } from './codemirror.ts';
import { knownVariables } from './completion.ts';

/** A read-only view of a version's text. */
const VersionText = ({
  agent,
  label,
  text,
}: {
  readonly agent: string;
  readonly label: string;
  readonly text: string;
}) => {
  const variables = useVariables(agent);
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: container.current as HTMLElement,
      state: EditorState.create({
        doc: text,
        extensions: [
          knownVariables.of(variables),
          baseExtensions,
          phrases,
          lineEndings(text),
          readOnly(label),
          search({ top: true }),
          keymap.of([...searchKeymap, ...defaultKeymap]),
        ],
      }),
    });
    return () => view.destroy();
  }, [label, text, variables]);
  return (
    <div
      ref={container}
      className="overflow-clip rounded-lg border border-line [&_.cm-editor]:max-h-[60vh]"
    />
  );
};

export default VersionText;
