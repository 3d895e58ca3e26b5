import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Longer words, such as URLs and ids, may be broken. */
const MAX_WORD_LENGTH = 24;

export interface TableLayout {
  /** Headers and cells that are not aligned. */
  readonly shifted: readonly string[];
  /** The width by which the table exceeds its container. */
  readonly overflow: number;
  readonly scrolls: boolean;
  /** Words that are broken across lines. */
  readonly broken: readonly string[];
  /** Whether the last link or button of the last row is visible after scrolling. */
  readonly isLastActionVisible: boolean;
}

/** Measures the layout of the page's table. */
export const measureTable = (page: Page): Promise<TableLayout> =>
  page.evaluate((longest) => {
    const table = document.querySelector('main table') as HTMLTableElement;
    const frame = table.parentElement as HTMLElement;
    const isShown = (cell: Element) => cell.checkVisibility();
    const cellsOf = (row: Element) => [...row.children].filter(isShown);
    const range = (cell: Element) => {
      const { left, right } = cell.getBoundingClientRect();
      return `${Math.round(left)}–${Math.round(right)}`;
    };
    const head = table.tHead?.rows[0] as HTMLTableRowElement;
    const rows = [...(table.tBodies[0]?.rows ?? [])];
    const isCards = getComputedStyle(table).display === 'block';
    const headers = cellsOf(head);
    const shifted = isCards
      ? []
      : rows.flatMap((row) => {
          const cells = cellsOf(row);
          if (cells.length !== headers.length) return [`${headers.length} headers, ${cells.length} cells`];
          return cells.flatMap((cell, at) =>
            range(cell) === range(headers[at] as Element)
              ? []
              : [`${headers[at]?.textContent}: ${range(headers[at] as Element)}, cell ${range(cell)}`],
          );
        });
    const broken: string[] = [];
    const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      if (!node.parentElement?.checkVisibility() || node.parentElement.closest('.sr-only, option')) continue;
      for (const { 0: word, index } of node.data.matchAll(/[^\s–-]+/g)) {
        if (word.length > longest) continue;
        const part = document.createRange();
        part.setStart(node, index);
        part.setEnd(node, index + word.length);
        if (new Set([...part.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
    }
    const actions = rows.at(-1)?.querySelectorAll('a, button, select') ?? [];
    const last = [...actions].filter(isShown).at(-1);
    last?.scrollIntoView({ block: 'center', inline: 'end' });
    const box = last?.getBoundingClientRect();
    const { left, right } = frame.getBoundingClientRect();
    return {
      shifted: shifted.slice(0, 3),
      overflow: frame.scrollWidth - frame.clientWidth,
      scrolls: ['auto', 'scroll'].includes(getComputedStyle(frame).overflowX),
      broken,
      isLastActionVisible: !box || (box.left >= left && box.right <= right && box.right <= innerWidth),
    };
  }, MAX_WORD_LENGTH);

/** Asserts that the page's table fits the width of the window. */
export const checkTable = async (page: Page, path: string, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: 800 });
  await page
    .locator('main :not([aria-busy=true]) > table')
    .waitFor({ timeout: 30_000 })
    .catch(async () => assert.fail(`${path} has no table: ${await page.locator('main').innerText()}`));
  await page.waitForFunction(() => !document.querySelector('main table .animate-pulse'));
  const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(pageWidth <= width, `${path} is ${pageWidth} px wide in a window of ${width} px`);
  const layout = await measureTable(page);
  const expected = { shifted: [], overflow: 0, scrolls: true, broken: [], isLastActionVisible: true };
  assert.deepEqual(layout, expected, `${path} at ${width} px`);
};
