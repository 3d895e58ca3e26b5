/** A fenced block of a document: its language and its text. */
export interface Block {
  readonly language: string;
  readonly text: string;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(FENCE)].map(([, language = '', text = '']) => ({ language, text }));

/** What stands under a heading of the second level, up to the next one. */
export const sectionOf = (markdown: string, heading: string): string => {
  const start = markdown.indexOf(`\n## ${heading}\n`);
  if (start === -1) throw new Error(`The document has no section "${heading}".`);
  const end = markdown.indexOf('\n## ', start + 1);
  return markdown.slice(start, end === -1 ? undefined : end);
};

/** A command and, where the document shows one, the output under it. */
export interface Step {
  readonly command: string;
  readonly shown: Block | undefined;
}

export const stepsOf = (markdown: string): Step[] => {
  const blocks = blocksOf(markdown);
  return blocks.flatMap(({ language, text }, at) => {
    if (language !== 'sh') return [];
    const next = blocks[at + 1];
    return [{ command: text, shown: next && next.language !== 'sh' ? next : undefined }];
  });
};
