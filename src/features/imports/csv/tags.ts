/** Tags in one cell: `vip;berlin`. A tag that would not come back as it is stands in quotes: `vip;"Smith, Jones"`. */
const QUOTED = /^\s*"((?:[^"]|"")*)"\s*(?:[;,]|$)/;
const SEPARATOR = /;|,|\s:::\s/;
const OF_GOOGLE = /\s:::\s/;
const NEEDS_QUOTES = /[;,"]|:::|^[\s*]|\s$/;
/** The group in which Google keeps every contact. */
const EVERYONE = 'myContacts';

/** The tags of a cell, split at `;`, `,` and Google's ` ::: `, beside which the others are part of a tag. Google marks
 *  groups of its own with `* `. */
export const splitTags = (cell: string): string[] => {
  const between = !cell.includes('"') && OF_GOOGLE.test(cell) ? OF_GOOGLE : SEPARATOR;
  const tags: string[] = [];
  for (let rest = cell; rest !== ''; ) {
    const quoted = QUOTED.exec(rest);
    if (quoted?.[1]) tags.push(quoted[1].replaceAll('""', '"'));
    const separator = quoted ? null : between.exec(rest);
    const end = quoted ? quoted[0].length : (separator?.index ?? rest.length);
    if (!quoted) tags.push(withoutMark(rest.slice(0, end).trim()));
    rest = rest.slice(end + (separator?.[0].length ?? 0));
  }
  return tags.filter((tag) => tag !== '');
};

const withoutMark = (tag: string): string => {
  if (!tag.startsWith('* ')) return tag;
  const name = tag.slice(2).trim();
  return name === EVERYONE ? '' : name;
};

/** The cell from which `splitTags` reads exactly these tags, none of which is empty. */
export const joinTags = (tags: readonly string[]): string =>
  tags.map((tag) => (NEEDS_QUOTES.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(';');
