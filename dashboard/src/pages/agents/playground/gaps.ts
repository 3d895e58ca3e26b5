import type { RenderedPart, Template } from '../../../api/placeholders.gen.ts';

/** A placeholder that has no value, with its places. */
export interface Gap {
  /** As it is written in the text. */
  readonly written: string;
  readonly kind: 'missing' | 'fallback' | 'unknown';
  /** What the runtime gets in its place. */
  readonly gets: string;
  readonly lines: readonly number[];
}

/** The placeholders of a text without a value, each once, in order of first use. */
export const gapsOf = (template: Template, parts: readonly RenderedPart[]): Gap[] => {
  const gaps = new Map<string, Gap>();
  let line = 1;
  template.forEach((source, at) => {
    const written = typeof source === 'string' ? source : source.written;
    const part = parts[at];
    if (part && part.kind !== 'text' && part.kind !== 'value') {
      const lines = new Set([...(gaps.get(written)?.lines ?? []), line]);
      const gets = part.kind === 'missing' ? '' : part.text;
      gaps.set(written, { written, kind: part.kind, gets, lines: [...lines] });
    }
    line += written.split('\n').length - 1;
  });
  return [...gaps.values()];
};
