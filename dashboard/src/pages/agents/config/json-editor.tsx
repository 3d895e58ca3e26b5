import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, historyKeymap } from '@codemirror/commands';
import { indentOnInput } from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap } from '@codemirror/view';
import { CircleAlert } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useDebounced } from '../../../app/debounced-text.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { type EditedText, useCodeEditor } from '../detail/code-editor.ts';
import { lineEnd } from '../detail/codemirror.ts';
import { completeFromSchema, editedSchema } from './completion.ts';
import { jsonExtensions } from './json-extensions.ts';
import { type LocatedProblem, type Problem, problemsIn } from './problems.ts';
import type { SchemaObject } from './schema.ts';

/** What is still being typed is not a mistake. */
const DELAY_MS = 700;
const MAX_SHOWN = 5;

const setProblems = StateEffect.define<readonly LocatedProblem[]>();

/** The marked problems. They move with the text until the next ones are known. */
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, { changes, effects, newDoc }) => {
    const problems = effects.find((each) => each.is(setProblems))?.value as
      | readonly LocatedProblem[]
      | undefined;
    if (!problems) return shown.map(changes);
    const ranges = problems
      .filter(({ from, to }) => from < to && to <= newDoc.length)
      .map(({ from, to, message }) =>
        Decoration.mark({ class: 'cm-problem', attributes: { title: message } }).range(from, to),
      );
    return Decoration.set(ranges, true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const extensions = [
  keymap.of([...closeBracketsKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
  closeBrackets(),
  indentOnInput(),
  jsonExtensions,
  marks,
];
const attributes = { dir: 'ltr', spellcheck: 'false', autocorrect: 'off', autocapitalize: 'off' };

export interface JsonEditorProps extends EditedText {
  /** What completes names and values, and what they are checked against. */
  readonly schema: SchemaObject | undefined;
  /** False if the schema only completes. */
  readonly isChecked?: boolean;
  /** What the service has refused. */
  readonly reported: readonly Problem[];
}

/** An editor of a JSON object, with its problems below. */
const JsonEditor = ({ schema, isChecked = true, reported, ...edited }: JsonEditorProps) => {
  const context = useMemo(() => editedSchema.of(schema), [schema]);
  const { container, view } = useCodeEditor(edited, {
    extensions,
    complete: completeFromSchema,
    context,
    attributes,
  });
  const checked = useDebounced(edited.value, DELAY_MS);
  const problems = useMemo(
    () => problemsIn(checked.replaceAll(lineEnd(checked), '\n'), isChecked ? schema : undefined, reported),
    [checked, isChecked, schema, reported],
  );

  useEffect(() => {
    // Otherwise the positions are those of another text.
    const { current } = view;
    if (current?.state.sliceDoc() === checked) current.dispatch({ effects: setProblems.of(problems) });
  }, [view, checked, problems]);

  const show = ({ from }: LocatedProblem) => {
    view.current?.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    view.current?.focus();
  };
  return (
    <>
      <div
        ref={container}
        dir="ltr"
        className="isolate [&_.cm-editor]:max-h-[70vh] [&_.cm-editor]:min-h-72"
      />
      <div aria-live="polite">{problems.length > 0 && <ProblemList problems={problems} onShow={show} />}</div>
    </>
  );
};

const ProblemList = ({
  problems,
  onShow,
}: {
  readonly problems: readonly LocatedProblem[];
  readonly onShow: (problem: LocatedProblem) => void;
}) => (
  <ul
    aria-label={t('Problems')}
    className="border-t border-line bg-danger-soft px-3.5 py-2 text-[0.8125rem] text-danger-ink"
  >
    {problems.slice(0, MAX_SHOWN).map((problem) => (
      <li key={`${problem.from} ${problem.message}`}>
        <button
          type="button"
          className="flex w-full gap-2 rounded py-0.5 text-start hover:underline"
          onClick={() => onShow(problem)}
        >
          <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
          <span className="min-w-0 wrap-anywhere">
            <span className="font-medium">
              {problem.path ? (
                <code className="font-mono">{problem.path}:</code>
              ) : (
                t('Line {line}:', { line: problem.line })
              )}
            </span>{' '}
            {problem.message}
          </span>
        </button>
      </li>
    ))}
    {problems.length > MAX_SHOWN && (
      <li>{plural(problems.length - MAX_SHOWN, 'and # more problem', 'and # more problems')}</li>
    )}
  </ul>
);

export default JsonEditor;
