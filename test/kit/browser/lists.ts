import type { Page } from 'playwright-core';

/** Adds a filter of a list and chooses one of its options. */
export const addFilter = async (page: Page, filter: string, option: string): Promise<void> => {
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('button', { name: filter, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
};

/** Waits until a table shows the rows of the last request. */
export const tableLoaded = (page: Page): Promise<void> =>
  page.locator('main [aria-busy=false] > table').first().waitFor();
