/** What a version changes: a passage of the one before it, and what stands there instead. */
export type Change = readonly [was: string, is: string];

const BEGINS_LINE = /^(?:#|- |\d+\. )/;

/** Joins the lines of a paragraph and of an item, which are broken here to be read in this file. */
const joined = (text: string): string =>
  text.split('\n').reduce((before, line) => {
    const last = before.slice(before.lastIndexOf('\n') + 1);
    const goesOn = last !== '' && !last.startsWith('#') && line !== '' && !BEGINS_LINE.test(line);
    return goesOn ? `${before} ${line.trim()}` : `${before}\n${line}`;
  });

/** The texts of an agent's versions, first to last, from the first of them and the changes that each later one makes. */
export const versionsOf = (first: string, ...later: readonly (readonly Change[])[]): string[] => {
  const texts = [first.trim()];
  for (const changes of later) {
    const next = changes.reduce((text, [was, is]) => {
      if (text.split(was).length !== 2) throw new Error(`"${was}" does not stand in the text once.`);
      return text.replace(was, () => is);
    }, texts.at(-1) as string);
    texts.push(next);
  }
  return texts.map(joined);
};
