import { diffLines } from 'diff';

export interface Difference {
  added: number;
  removed: number;
  /** Consecutive lines with the same change are one part. */
  parts: { change: 'same' | 'added' | 'removed'; lines: string[] }[];
}

export const linesOf = (text: string): string[] => {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

/** A diff takes quadratic time in the number of changes: 600 lines take 60 ms, the largest possible texts would take 20 s.
 *  Texts that differ more are shown as completely replaced. */
export const MAX_CHANGES = 600;

export const differenceOf = (before: string, after: string): Difference => {
  const changes = diffLines(before, after, { maxEditLength: MAX_CHANGES }) ?? [
    { added: false, removed: true, value: before },
    { added: true, removed: false, value: after },
  ];
  const parts = changes.map(({ added, removed, value }) => ({
    change: added ? ('added' as const) : removed ? ('removed' as const) : ('same' as const),
    lines: linesOf(value),
  }));
  const count = (change: string) =>
    parts.reduce((sum, part) => sum + (part.change === change ? part.lines.length : 0), 0);
  return { added: count('added'), removed: count('removed'), parts };
};
