import { diffLines } from 'diff';

export interface Difference {
  added: number;
  removed: number;
  /** The lines of both texts in order; a run of the same kind is one entry. */
  parts: { change: 'same' | 'added' | 'removed'; lines: string[] }[];
}

const linesOf = (text: string): string[] => {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

/** Finding the shortest way takes time with the square of its length: 600 lines take some 60 ms, the most that two texts
 *  can have would take 20 s. Texts further apart than this are shown as one in place of the other. */
const MAX_CHANGES = 600;

/** How one text becomes another, line by line. */
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
