import type { Difference } from './difference.ts';

/** A region of changes, with the numbers of its first lines, as in a unified diff. */
export interface Hunk {
  from_start: number;
  from_lines: number;
  to_start: number;
  to_lines: number;
  /** Consecutive lines with the same change are one entry. */
  changes: Difference['parts'];
}

/** Unchanged lines before and after a change. */
const CONTEXT = 3;

/** Groups the changes of two texts into hunks. Changes that share context are in one hunk. */
export const hunksOf = ({ parts }: Pick<Difference, 'parts'>): Hunk[] => {
  const hunks: Hunk[] = [];
  let open: Hunk | undefined;
  let [from, to] = [1, 1];
  const append = (hunk: Hunk, change: Hunk['changes'][number]['change'], lines: string[]) => {
    if (lines.length === 0) return;
    hunk.changes.push({ change, lines });
    if (change !== 'added') hunk.from_lines += lines.length;
    if (change !== 'removed') hunk.to_lines += lines.length;
  };
  for (const [at, { change, lines }] of parts.entries()) {
    const { length } = lines;
    if (change === 'same') {
      const isLast = at === parts.length - 1;
      if (open && !isLast && length <= 2 * CONTEXT) append(open, change, lines);
      else {
        if (open) append(open, change, lines.slice(0, CONTEXT));
        open = undefined;
        if (!isLast) {
          const before = Math.min(length, CONTEXT);
          open = newHunk(from + length - before, to + length - before);
          append(open, change, lines.slice(length - before));
          hunks.push(open);
        }
      }
    } else {
      if (!open) {
        open = newHunk(from, to);
        hunks.push(open);
      }
      append(open, change, lines);
    }
    if (change !== 'added') from += length;
    if (change !== 'removed') to += length;
  }
  return hunks;
};

const newHunk = (from_start: number, to_start: number): Hunk => ({
  from_start,
  from_lines: 0,
  to_start,
  to_lines: 0,
  changes: [],
});

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;
const NO_NEWLINE = '\\ No newline at end of file';

const lineCount = (text: string): number => {
  if (text === '') return 0;
  let count = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
};

/** An empty range names the line before it. */
const rangeOf = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`;

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The hunks as a unified diff, which `patch` applies. Empty if the texts are equal. */
export const unifiedDiff = (hunks: readonly Hunk[], from: NamedText, to: NamedText): string => {
  if (hunks.length === 0) return '';
  const lastLine = ({ text }: NamedText) => (text.endsWith('\n') ? 0 : lineCount(text));
  const [lastFrom, lastTo] = [lastLine(from), lastLine(to)];
  const output = [`--- ${from.name}`, `+++ ${to.name}`];
  for (const hunk of hunks) {
    let [fromLine, toLine] = [hunk.from_start, hunk.to_start];
    output.push(`@@ -${rangeOf(fromLine, hunk.from_lines)} +${rangeOf(toLine, hunk.to_lines)} @@`);
    for (const { change, lines } of hunk.changes) {
      for (const line of lines) {
        output.push(SIGNS[change] + line);
        const isLast =
          (change !== 'added' && fromLine === lastFrom) || (change !== 'removed' && toLine === lastTo);
        if (isLast) output.push(NO_NEWLINE);
        if (change !== 'added') fromLine++;
        if (change !== 'removed') toLine++;
      }
    }
  }
  return `${output.join('\n')}\n`;
};
