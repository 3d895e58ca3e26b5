export interface Heading {
  /** From 1. */
  readonly line: number;
  /** From 1 to 6. */
  readonly level: number;
  readonly text: string;
}

/** A heading may end with number signs, such as `## Prices ##`. */
const withoutClosing = (title: string): string => {
  const at = title.lastIndexOf(' ');
  return /^#+$/.test(title.slice(at + 1)) ? title.slice(0, Math.max(at, 0)).trimEnd() : title;
};

/** The headings of Markdown, such as `## Prices`, without those in fenced code. */
export const headingsOf = (lines: Iterable<string>): Heading[] => {
  const found: Heading[] = [];
  let fence: string | undefined;
  let line = 0;
  for (const text of lines) {
    line++;
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(text) ?? [];
    if (mark && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    const [, hashes, rest = ''] = /^ {0,3}(#{1,6})\s(.*)$/.exec(text) ?? [];
    const title = withoutClosing(rest.trim());
    if (fence === undefined && hashes && title) found.push({ line, level: hashes.length, text: title });
  }
  return found;
};
