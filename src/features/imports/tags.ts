/** Tags in one cell: `vip;berlin`. A tag with a separator is quoted: `vip;"Smith, Jones"`. */
const QUOTED = /^\s*"((?:[^"]|"")*)"\s*(?:[;,]|$)/;
const SEPARATOR = /;|,|\s:::\s/;
const GOOGLE_SEPARATOR = /\s:::\s/;
const NEEDS_QUOTES = /[;,"]|:::|^[\s*]|\s$/;
/** Google's group of all contacts. */
const EVERYONE = 'myContacts';

/** The tags of a cell, split at Google's ` ::: ` or, without it, at `;` and `,`. Google marks its own groups with `* `. */
export const splitTags = (cell: string): string[] => {
  const between = !cell.includes('"') && GOOGLE_SEPARATOR.test(cell) ? GOOGLE_SEPARATOR : SEPARATOR;
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

/** The inverse of `splitTags`, for tags that are not empty. */
export const joinTags = (tags: readonly string[]): string =>
  tags.map((tag) => (NEEDS_QUOTES.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(';');
