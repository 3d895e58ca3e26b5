import type { Locator, Page } from 'playwright-core';

export const instructionsEditor = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Instructions', exact: true });

/** Replaces the text in the editor as a user does: select all, then type or paste. */
export const replaceInstructions = async (page: Page, text: string): Promise<void> => {
  await instructionsEditor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
};
