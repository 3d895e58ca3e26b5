import type { Locator, Page } from 'playwright-core';

export const instructionsEditor = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Instructions', exact: true });

/** Replaces the text in the editor as a user does: select all, then type or paste. */
export const replaceInstructions = async (page: Page, text: string): Promise<void> => {
  await instructionsEditor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
};

/** Waits until the editor has exactly this text. */
export const editorShows = (page: Page, text: string): Promise<void> =>
  instructionsEditor(page)
    .filter({ hasText: new RegExp(`^${RegExp.escape(text)}$`) })
    .waitFor();

/** Whether the user sees the caret and its line; runs in the page. */
export const isCaretUncovered = (): boolean => {
  const selection = getSelection();
  const node = selection?.focusNode;
  if (!selection || !node) return false;
  const range = document.createRange();
  range.setStart(node, selection.focusOffset);
  const line = (node instanceof Element ? node : node.parentElement)?.closest('.cm-line');
  const { top, bottom } =
    range.getClientRects()[0] ?? line?.getBoundingClientRect() ?? document.body.getBoundingClientRect();
  const { left } = (line ?? document.body).getBoundingClientRect();
  return [top + 1, bottom - 1].every((y) => document.elementFromPoint(left + 4, y)?.closest('.cm-content'));
};
