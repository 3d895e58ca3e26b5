import assert from 'node:assert/strict';

const VOID = ['meta', 'wbr', 'br'];

/** The visible text of HTML. */
export const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(
      /&(lt|gt|quot|#39|amp);/g,
      (_, name) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name as 'lt'],
    )
    .trim();

/** The first group of every match. */
export const captures = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map((match) => match[1] as string);
export const tagsOf = (html: string) => captures(html, /<(\/?[a-z][a-z0-9]*)/g);
/** The texts of the page's code blocks. */
export const codeBlocksOf = (html: string) =>
  captures(html, /<pre><code>([\s\S]*?)<\/code><\/pre>/g).map(textOf);

/** The section of the operation with this title. */
export const sectionOf = (page: string, title: string): string => {
  const section = captures(page, /(<article[\s\S]*?<\/article>)/g).find(
    (each) => textOf(captures(each, /<h3[^>]*>([\s\S]*?)<\/h3>/g)[0] ?? '') === title,
  );
  assert.ok(section, `no section ${title}`);
  return section;
};

/** The rows of the table with this label, as the texts of their cells. */
export const tableOf = (page: string, label: string): string[][] => {
  const table = page.split(`aria-label="${label}"`)[1]?.split('</table>')[0];
  assert.ok(table, `no table ${label}`);
  const body = table.split('<tbody')[1] ?? '';
  return captures(body, /<tr[^>]*>([\s\S]*?)<\/tr>/g).map((line) =>
    captures(line, /<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g).map(textOf),
  );
};

/** Asserts that the page is well formed and that every anchor is unique and resolves. */
export const assertValidHtml = (page: string) => {
  const open: string[] = [];
  for (const tag of tagsOf(page.replace(/<style>[\s\S]*?<\/style>/, ''))) {
    if (VOID.includes(tag)) continue;
    if (tag.startsWith('/')) assert.equal(open.pop(), tag.slice(1));
    else open.push(tag);
  }
  assert.deepEqual(open, []);
  const ids = captures(page, /\sid="([^"]*)"/g);
  assert.equal(new Set(ids).size, ids.length, 'an id is used twice');
  for (const target of [
    ...captures(page, /href="#([^"]*)"/g),
    ...captures(page, /aria-labelledby="([^"]*)"/g),
  ]) {
    assert.ok(ids.includes(target), `#${target} does not resolve`);
  }
  for (const id of captures(page, /<h[2-4] id="([^"]*)"/g))
    assert.ok(page.includes(`href="#${id}"`), `no link to ${id}`);
};
