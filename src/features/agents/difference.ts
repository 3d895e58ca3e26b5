import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk, structuredPatch } from 'diff';

/** A diff takes quadratic time in the number of changes: 600 lines take 60 ms, the largest possible texts would take 20 s.
 *  Texts that differ more are shown as completely replaced. */
const MAX_CHANGES = 600;

/** Unchanged lines before and after a change. */
const CONTEXT = 3;

const KINDS: Readonly<Record<string, 'same' | 'added' | 'removed'>> = {
  ' ': 'same',
  '+': 'added',
  '-': 'removed',
};

/** Consecutive lines with the same change are one entry. */
const changesIn = (lines: readonly string[]) => {
  const changes: { change: 'same' | 'added' | 'removed'; lines: string[] }[] = [];
  for (const line of lines) {
    const change = KINDS[line.charAt(0)];
    if (!change) continue;
    const last = changes.at(-1);
    if (last?.change === change) last.lines.push(line.slice(1));
    else changes.push({ change, lines: [line.slice(1)] });
  }
  return changes;
};

/** For texts that differ too much. */
const replaced = (before: string, after: string): StructuredPatchHunk => {
  const [removed] = structuredPatch('', '', before, '').hunks;
  const [added] = structuredPatch('', '', '', after).hunks;
  return {
    oldStart: 1,
    oldLines: removed?.oldLines ?? 0,
    newStart: 1,
    newLines: added?.newLines ?? 0,
    lines: [...(removed?.lines ?? []), ...(added?.lines ?? [])],
  };
};

interface NamedText {
  readonly name: string;
  readonly text: string;
}

export type Difference = ReturnType<typeof differenceOf>;

/** The changed regions of two texts, and the same as a unified diff, which `patch` applies. It is empty if the texts are equal. */
export const differenceOf = (from: NamedText, to: NamedText) => {
  const options = { context: CONTEXT, maxEditLength: MAX_CHANGES };
  const names = { oldFileName: from.name, newFileName: to.name, oldHeader: undefined, newHeader: undefined };
  const found = structuredPatch(from.name, to.name, from.text, to.text, undefined, undefined, options);
  const hunks = found?.hunks ?? [replaced(from.text, to.text)];
  const count = (sign: string) =>
    hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length;
  return {
    added: count('+'),
    removed: count('-'),
    hunks: hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
      from_start: oldStart,
      from_lines: oldLines,
      to_start: newStart,
      to_lines: newLines,
      changes: changesIn(lines),
    })),
    unified: hunks.length === 0 ? '' : formatPatch({ ...names, hunks } as never, FILE_HEADERS_ONLY),
  };
};
