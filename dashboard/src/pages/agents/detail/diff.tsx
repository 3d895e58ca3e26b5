import { defaultKeymap } from '@codemirror/commands';
import { getChunks, MergeView, unifiedMergeView } from '@codemirror/merge';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { plural, t } from '../../../lib/i18n.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { baseExtensions, lineEndings, phrases, readOnly } from './codemirror.ts';

export interface Side {
  /** For example `v2, deployed`. */
  readonly label: string;
  readonly text: string;
}

const wide = matchMedia('(width >= 56rem)');
const useIsWide = () =>
  useSyncExternalStore(
    (listener) => {
      wide.addEventListener('change', listener);
      return () => wide.removeEventListener('change', listener);
    },
    () => wide.matches,
  );

const diffConfig = { scanLimit: 2_000, timeout: 500 };
const collapsed = { collapseUnchanged: { margin: 2, minSize: 4 } };

const extensionsOf = ({ label, text }: Side) => [
  baseExtensions,
  phrases,
  lineEndings(text),
  readOnly(label),
  search({ top: true }),
  keymap.of([...searchKeymap, ...defaultKeymap]),
];

const sideBySide = (parent: HTMLElement, before: Side, after: Side, all: boolean) => {
  const view = new MergeView({
    parent,
    a: { doc: before.text, extensions: extensionsOf(before) },
    b: { doc: after.text, extensions: extensionsOf(after) },
    diffConfig,
    ...(all ? {} : collapsed),
  });
  return { differences: view.chunks.length, destroy: () => view.destroy() };
};

const unified = (parent: HTMLElement, before: Side, after: Side, all: boolean) => {
  const label = t('{before} and {after}', { before: before.label, after: after.label });
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: after.text,
      extensions: [
        extensionsOf({ label, text: after.text }),
        unifiedMergeView({
          original: before.text,
          mergeControls: false,
          diffConfig,
          ...(all ? {} : collapsed),
        }),
      ],
    }),
  });
  return { differences: getChunks(view.state)?.chunks.length ?? 0, destroy: () => view.destroy() };
};

/** A diff of two texts: side by side, or in one column on narrow screens. */
const DiffView = ({ before, after }: { readonly before: Side; readonly after: Side }) => {
  const container = useRef<HTMLDivElement>(null);
  const [all, setAll] = useState(false);
  const [differences, setDifferences] = useState(0);
  const isWide = useIsWide();
  const { label: nameA, text: textA } = before;
  const { label: nameB, text: textB } = after;
  useEffect(() => {
    if (!container.current) return;
    const show = isWide ? sideBySide : unified;
    const shown = show(container.current, { label: nameA, text: textA }, { label: nameB, text: textB }, all);
    setDifferences(shown.differences);
    return shown.destroy;
  }, [nameA, textA, nameB, textB, all, isWide]);
  return (
    <div>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
        <p aria-live="polite">{differences > 0 && plural(differences, '# difference', '# differences')}</p>
        <Checkbox label={t('Show unchanged lines')} checked={all} onChange={setAll} />
      </div>
      <div className="overflow-clip rounded-lg border border-line">
        <div className="grid border-b border-line bg-sunken text-xs font-medium min-[56rem]:grid-cols-2">
          <p className="flex items-center gap-1.5 px-3.5 py-1.5">
            <span aria-hidden className="size-2 rounded-full bg-danger" />
            {nameA}
          </p>
          <p className="flex items-center gap-1.5 px-3.5 py-1.5 max-[56rem]:pt-0 min-[56rem]:border-l min-[56rem]:border-line">
            <span aria-hidden className="size-2 rounded-full bg-accent" />
            {nameB}
          </p>
        </div>
        <div
          ref={container}
          className="[&_.cm-mergeViewEditor+.cm-mergeViewEditor]:border-l [&_.cm-mergeViewEditor+.cm-mergeViewEditor]:border-line [&>.cm-editor]:max-h-[60vh] [&>.cm-mergeView]:max-h-[60vh]"
        />
      </div>
    </div>
  );
};

export default DiffView;
