/** Safe HTML. Only `html` creates it, and escapes every value that is not Html. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | undefined | false | readonly Value[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const render = (value: Value): string => {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
};

export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(strings.map((text, at) => text + render(values[at])).join(''));

/** Text in which backticks mark code. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;

export const joined = (parts: readonly Value[], separator: Value): Html =>
  html`${parts.map((part, at) => [at > 0 && separator, part])}`;

/** Returns a unique, readable anchor for a text. */
export type Anchors = (text: string) => string;

export const createAnchors = (): Anchors => {
  const taken = new Set<string>();
  return (text) => {
    const base =
      text
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || 'section';
    let anchor = base;
    for (let count = 2; taken.has(anchor); count++) anchor = `${base}-${count}`;
    taken.add(anchor);
    return anchor;
  };
};

/** A heading that links to itself, so that its URL can be copied. */
export const heading = (level: 2 | 3 | 4, anchor: string, text: string): Html => {
  const link = html`<a class="self" href="#${anchor}">${text}</a>`;
  if (level === 2) return html`<h2 id="${anchor}">${link}</h2>`;
  return level === 3 ? html`<h3 id="${anchor}">${link}</h3>` : html`<h4 id="${anchor}">${link}</h4>`;
};

export const codeBlock = (content: Html | string): Html => html`<pre><code>${content}</code></pre>`;

/** A table whose rows begin with a heading. The roles are explicit, because the narrow layout changes `display`, which
 *  removes the implicit ones. */
export const table = (
  label: string,
  columns: readonly string[],
  rows: readonly (readonly [Html, ...Html[]])[],
): Html => {
  const titles = columns.map((title) => html`<th role="columnheader" scope="col">${title}</th>`);
  const lines = rows.map(
    ([name, ...cells]) =>
      html`<tr role="row"><th role="rowheader" scope="row">${name}</th>${cells.map(
        (cell) => html`<td role="cell">${cell}</td>`,
      )}</tr>\n`,
  );
  return html`<table role="table" aria-label="${label}"><thead role="rowgroup"><tr role="row">${titles}</tr></thead>
<tbody role="rowgroup">${lines}</tbody></table>`;
};

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

/** Formats JSON with lists of scalars on one line. */
export const formatJson = (value: unknown, indent = ''): string => {
  if (isScalar(value)) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every(isScalar)) return `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;
    return `[\n${value.map((each) => inner + formatJson(each, inner)).join(',\n')}\n${indent}]`;
  }
  const lines = Object.entries(value as object).map(
    ([name, each]) => `${inner}${JSON.stringify(name)}: ${formatJson(each, inner)}`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`;
};

const TOKEN = /"(?:[^"\\]|\\[\s\S])*"?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

/** Formatted JSON with syntax highlighting. */
export const jsonMarkup = (value: unknown): Html => {
  const text = formatJson(value);
  const parts: Value[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + token.length;
    const kind = !token.startsWith('"') ? 'value' : text[end] === ':' ? 'key' : 'string';
    parts.push(html`<span class="${kind}">${token}</span>`);
  }
  return html`${parts}${text.slice(end)}`;
};
