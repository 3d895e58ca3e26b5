/** A fenced block of a document: its language and its text. */
export interface Block {
  readonly language: string;
  readonly text: string;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(FENCE)].map(([, language = '', text = '']) => ({ language, text }));

/** The text below a heading of the second level, up to the next one. */
export const sectionOf = (markdown: string, heading: string): string => {
  const start = markdown.indexOf(`\n## ${heading}\n`);
  if (start === -1) throw new Error(`The document has no section "${heading}".`);
  const end = markdown.indexOf('\n## ', start + 1);
  return markdown.slice(start, end === -1 ? undefined : end);
};

export interface RelativeLink {
  /** Empty for a link within the document. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** The links and images of a document that do not lead to another host. Fenced blocks are skipped. */
export const linksOf = (markdown: string): RelativeLink[] => {
  const text = markdown.replaceAll(FENCE, '');
  const targets = [
    ...text.matchAll(/\]\(([^)\s]+)\)/g),
    ...text.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g),
  ].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/i.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      return { path, anchor };
    });
};

/** The anchors of a document's headings, as GitHub derives them. */
export const anchorsOf = (markdown: string): Set<string> => {
  const anchors = new Set<string>();
  for (const [, heading = ''] of markdown.replaceAll(FENCE, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let at = 1; anchors.has(anchor); at++) anchor = `${slug}-${at}`;
    anchors.add(anchor);
  }
  return anchors;
};

/** A command and, if the document shows it, the output below it. */
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
