import { type EditorState, type Extension, RangeSetBuilder, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, MatchDecorator, ViewPlugin } from '@codemirror/view';
import { type Heading, headingsOf } from './headings.ts';

const lineOf = ({ level }: Heading) =>
  Decoration.line({ class: `cm-heading cm-heading-${Math.min(level, 3)}` });

const markHeadings = (doc: Text): DecorationSet => {
  const marks = new RangeSetBuilder<Decoration>();
  for (const heading of headingsOf(doc.iterLines())) {
    const { from } = doc.line(heading.line);
    marks.add(from, from, lineOf(heading));
  }
  return marks.finish();
};

const headings = StateField.define<DecorationSet>({
  create: ({ doc }: EditorState) => markHeadings(doc),
  update: (marks, { docChanged, newDoc }) => (docChanged ? markHeadings(newDoc) : marks),
  provide: (field) => EditorView.decorations.from(field),
});

/** Strong and emphasized words, code, and the markers of lists and quotations. */
const styles: readonly (readonly [regexp: RegExp, classOf: (text: string) => string])[] = [
  [
    /\*\*[^*\s][^*\n]*\*\*|\B\*[^*\s][^*\n]*\*\B/g,
    (text) => (text.startsWith('**') ? 'cm-strong' : 'cm-emphasis'),
  ],
  [/\b_[^_\s][^_\n]*_\b/g, () => 'cm-emphasis'],
  [/`[^`\n]+`/g, () => 'cm-code'],
  [/^\s*(?:[-*+]|\d+[.)]|>)\s/g, () => 'cm-marker'],
];

const styled = ([regexp, classOf]: (typeof styles)[number]): Extension => {
  const matches = new MatchDecorator({
    regexp,
    decoration: ([text]) => Decoration.mark({ class: classOf(text) }),
  });
  return ViewPlugin.define(
    (view) => ({
      marks: matches.createDeco(view),
      update(update) {
        this.marks = matches.updateDeco(update, this.marks);
      },
    }),
    { decorations: (plugin) => plugin.marks },
  );
};

/** Shows the Markdown of instructions. The text itself stays as it is. */
export const markdown: Extension = [
  headings,
  ...styles.map(styled),
  EditorView.theme({
    '.cm-heading': { fontWeight: '650' },
    '.cm-heading-1': { fontSize: '1.2em' },
    '.cm-heading-2': { fontSize: '1.1em' },
    '.cm-strong': { fontWeight: '650' },
    '.cm-emphasis': { fontStyle: 'italic' },
    '.cm-code': { fontFamily: 'var(--font-mono, monospace)', fontSize: '0.95em' },
    '.cm-marker': { color: 'var(--accent-ink)', fontWeight: '650' },
  }),
];
