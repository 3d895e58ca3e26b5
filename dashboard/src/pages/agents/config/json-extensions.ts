import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { search } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { phrases, theme } from '../detail/codemirror.ts';

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--info-ink)' },
  { tag: tags.string, color: 'var(--accent-ink)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn-ink)' },
]);

const jsonTheme = EditorView.theme({
  '.cm-scroller': { fontFamily: 'var(--font-mono)', fontSize: '0.8125rem' },
  '.cm-gutters': { color: 'var(--muted)', minWidth: '2.25rem', justifyContent: 'end' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 0 0 0.5rem' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--line)' },
  '.cm-problem': {
    textDecoration: 'underline wavy var(--danger) 1px',
    textUnderlineOffset: '3px',
    backgroundColor: 'var(--danger-soft)',
    borderRadius: '0.25rem',
  },
  // The description is a part of the list, beside or below it.
  '.cm-tooltip.cm-tooltip-autocomplete': { overflow: 'visible' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { borderRadius: '0.75rem' },
  '.cm-tooltip.cm-completionInfo': {
    color: 'var(--muted)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line)',
    borderRadius: '0.75rem',
    padding: '0.375rem 0.75rem',
    maxWidth: '20rem',
  },
});

/** What all views of JSON share. */
export const jsonExtensions: Extension = [
  // The first one takes precedence.
  jsonTheme,
  theme,
  json(),
  syntaxHighlighting(colors),
  lineNumbers(),
  bracketMatching(),
  EditorView.lineWrapping,
  phrases,
  search({ top: true }),
];
