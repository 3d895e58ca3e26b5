/** A passage of the previous version, and its replacement. */
export type Change = readonly [was: string, is: string];

const BEGINS_LINE = /^(?:#|- |\d+\. )/;

/** Joins the wrapped lines of a paragraph or a list item. */
const joined = (text: string): string =>
  text.split('\n').reduce((before, line) => {
    const last = before.slice(before.lastIndexOf('\n') + 1);
    const continues = last !== '' && !last.startsWith('#') && line !== '' && !BEGINS_LINE.test(line);
    return continues ? `${before} ${line.trim()}` : `${before}\n${line}`;
  });

/** The texts of all versions, from the first one and the changes of each later one. */
export const versionsOf = (first: string, ...later: readonly (readonly Change[])[]): string[] => {
  const texts = [first.trim()];
  for (const changes of later) {
    const next = changes.reduce((text, [was, is]) => {
      if (text.split(was).length !== 2) throw new Error(`"${was}" must occur exactly once in the text.`);
      return text.replace(was, () => is);
    }, texts.at(-1) as string);
    texts.push(next);
  }
  return texts.map(joined);
};
