import { EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { meaningOf, type Names, PLACEHOLDER, suggestionFor } from '../../../api/placeholders.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { knownVariables } from './completion.ts';
import { markdown } from './markdown.ts';

export const theme = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '0.875rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-sans, inherit)', lineHeight: '1.6' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 0.875rem' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-variable': {
    color: 'var(--info-ink)',
    backgroundColor: 'var(--info-soft)',
    borderRadius: '0.25rem',
    padding: '0 0.125rem',
  },
  '.cm-unknown-variable': {
    color: 'var(--warn-ink)',
    backgroundColor: 'var(--warn-soft)',
    borderRadius: '0.25rem',
    padding: '0 0.125rem',
    textDecoration: 'underline wavy var(--danger) 1px',
    textUnderlineOffset: '3px',
  },
  '&.cm-merge-a .cm-changedLine, & .cm-deletedChunk': { backgroundColor: 'var(--danger-soft)' },
  '&.cm-merge-b .cm-changedLine, & .cm-inlineChangedLine': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-merge-a .cm-changedText, & .cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--danger) 22%, transparent)',
    borderRadius: '0.125rem',
  },
  '&.cm-merge-b .cm-changedText': {
    background: 'color-mix(in srgb, var(--accent) 24%, transparent)',
    borderRadius: '0.125rem',
  },
  '& .cm-deletedChunk': { paddingLeft: '0' },
  '& .cm-deletedChunk .cm-deletedLine': { padding: '0 0.875rem' },
  '&.cm-merge-a .cm-changedLineGutter, & .cm-deletedLineGutter': { background: 'var(--danger)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--accent)' },
  '& .cm-gutters': { backgroundColor: 'transparent', border: 'none' },
  '& .cm-collapsedLines': {
    color: 'var(--muted)',
    background: 'var(--sunken)',
    fontSize: '0.8125rem',
    padding: '0.25rem 0.875rem',
  },
  '& .cm-collapsedLines:before, & .cm-collapsedLines:after': { content: 'none' },
  '.cm-panels': {
    color: 'var(--ink)',
    backgroundColor: 'var(--sunken)',
    borderColor: 'var(--line)',
  },
  // A row for finding, one for its options and one for replacing: each field takes what the buttons leave.
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0.5rem',
    padding: '0.625rem 2.75rem 0.625rem 0.625rem',
    fontFamily: 'var(--font-sans, inherit)',
  },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': {
    margin: '0',
    fontSize: '0.8125rem',
  },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '0.25rem',
    minHeight: '2rem',
    cursor: 'pointer',
  },
  '.cm-panel.cm-search input[type=checkbox]': {
    width: '1rem',
    height: '1rem',
    accentColor: 'var(--accent)',
  },
  '.cm-panel.cm-search .cm-textfield': {
    flex: '1 1 calc(100% - 19rem)',
    minWidth: '10rem',
    minHeight: '2rem',
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--control)',
    borderRadius: '0.5rem',
    padding: '0.25rem 0.625rem',
  },
  '.cm-panel.cm-search .cm-textfield:focus': {
    outline: '2px solid var(--accent)',
    outlineOffset: '0',
    borderColor: 'var(--accent)',
  },
  '.cm-panel.cm-search .cm-button': {
    minHeight: '2rem',
    color: 'var(--ink)',
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line)',
    borderRadius: '0.5rem',
    boxShadow: 'var(--lift)',
    padding: '0 0.75rem',
    fontWeight: '500',
  },
  '.cm-panel.cm-search .cm-button:hover': { backgroundColor: 'var(--canvas)' },
  '.cm-panel.cm-search button[name=close]': {
    top: '0.625rem',
    right: '0.5rem',
    width: '2rem',
    height: '2rem',
    borderRadius: '0.5rem',
    color: 'var(--muted)',
    fontSize: '1.25rem',
  },
  '.cm-panel.cm-search button[name=close]:hover': { color: 'var(--ink)', backgroundColor: 'var(--line)' },
  '.cm-tooltip.cm-tooltip-autocomplete': {
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line)',
    borderRadius: '0.75rem',
    overflow: 'hidden',
    boxShadow: 'var(--shadow-float, 0 8px 24px rgb(0 0 0 / 0.16))',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.375rem 0.75rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--ink)',
    backgroundColor: 'var(--sunken)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', marginLeft: '1rem' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn-ink)' },
});

const known = Decoration.mark({ class: 'cm-variable' });
const unknown = (name: string, names: Names) => {
  const suggestion = suggestionFor(name, names);
  const title = suggestion
    ? t('Unknown variable. Did you mean {suggestion}?', { suggestion: `{{${suggestion}}}` })
    : t('Unknown variable.');
  return Decoration.mark({ class: 'cm-unknown-variable', attributes: { title } });
};
const finder = new MatchDecorator({
  regexp: PLACEHOLDER,
  decoration: (match, { state }) => {
    const names = state.facet(knownVariables)?.names;
    // Before the names are known, nothing is marked as unknown.
    if (!names) return match[1] === undefined ? null : known;
    const meaning = meaningOf(match, names);
    return meaning ? (meaning.kind === 'known' ? known : unknown(meaning.name, names)) : null;
  },
});

/** Highlights variables such as `{{first_name}}`, and marks unknown ones. */
const variables = ViewPlugin.define(
  (view) => ({
    marks: finder.createDeco(view),
    update(update: ViewUpdate) {
      const isSame = update.startState.facet(knownVariables) === update.state.facet(knownVariables);
      this.marks = isSame ? finder.updateDeco(update, this.marks) : finder.createDeco(update.view);
    },
  }),
  { decorations: ({ marks }) => marks },
);

const autoDirection = Decoration.line({ attributes: { dir: 'auto' } });

/** Each line runs in the direction of its own text, left to right or right to left. */
const directions = ViewPlugin.define(
  (view) => ({
    lines: linesOf(view),
    update({ docChanged, viewportChanged, view }: ViewUpdate) {
      if (docChanged || viewportChanged) this.lines = linesOf(view);
    },
  }),
  { decorations: ({ lines }) => lines },
);

const linesOf = ({ state, viewport }: EditorView): DecorationSet => {
  const lines = new RangeSetBuilder<Decoration>();
  for (let at = viewport.from; at <= viewport.to; ) {
    const line = state.doc.lineAt(at);
    lines.add(line.from, line.from, autoDirection);
    at = line.to + 1;
  }
  return lines.finish();
};

/** The extensions shared by all editors and viewers of instructions. */
export const baseExtensions: Extension = [
  theme,
  markdown,
  variables,
  directions,
  EditorView.perLineTextDirection.of(true),
  EditorView.lineWrapping,
];

/** The texts of CodeMirror's search panel and completion. */
export const phrases: Extension = EditorState.phrases.of({
  Find: t('Find'),
  Replace: t('Replace'),
  next: t('Next'),
  previous: t('Previous'),
  all: t('Select all'),
  'match case': t('Match case'),
  'by word': t('Whole words'),
  regexp: t('Regular expression'),
  replace: t('Replace'),
  'replace all': t('Replace all'),
  close: t('Close'),
  Completions: t('Variables'),
});

/** How the lines of a text end. In the document of an editor, each end counts as one character. */
export const lineEnd = (text: string): string =>
  text.includes('\r\n') && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n';

/** Preserves the line endings of the text, so that saving does not change it. */
export const lineEndings = (text: string): Extension => {
  const end = lineEnd(text);
  return [
    EditorState.lineSeparator.of(end),
    EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n?|\n/g, end)),
  ];
};

/** Read-only, but focusable and searchable by keyboard. Phones do not open their keyboard. */
export const readOnly = (label: string): Extension => [
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-readonly': 'true',
    inputmode: 'none',
    tabindex: '0',
  }),
];
