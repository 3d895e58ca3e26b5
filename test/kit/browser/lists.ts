import type { Locator, Page } from 'playwright-core';

const openFilter = async (page: Page, filter: string): Promise<void> => {
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('dialog').getByRole('button', { name: filter, exact: true }).click();
};

/** Adds a filter of a list and chooses one of its options. Presets of days are buttons. */
export const addFilter = async (page: Page, filter: string, option: string): Promise<void> => {
  await openFilter(page, filter);
  const choices = page.getByRole('option', { name: option });
  await choices
    .or(page.getByRole('dialog').getByRole('button', { name: option, exact: true }))
    .first()
    .click();
};

/** Waits until a table shows the rows of the last request. */
export const tableLoaded = (page: Page): Promise<void> =>
  page.locator('main [aria-busy=false] > table').first().waitFor();

/** Waits until the list shows a number of rows. */
export const shownRows = async (page: Page, count: number): Promise<void> => {
  await page.waitForFunction(
    (expected) => document.querySelectorAll('main tr[data-row]').length === expected,
    count,
  );
};

/** Waits until the list shows the rows with these ids, in this order. */
export const waitForRows = async (page: Page, ids: readonly string[]): Promise<void> => {
  const expected = ids.join();
  await page
    .waitForFunction(
      (text) =>
        [...document.querySelectorAll<HTMLElement>('main tr[data-row]')]
          .map(({ dataset }) => dataset.row)
          .join() === text,
      expected,
    )
    .catch(async () => {
      const shown = await page
        .locator('main tr[data-row]')
        .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.row));
      throw new Error(`The list shows ${shown.join()} instead of ${expected}`);
    });
};

/** Opens the filter builder of the contact list. */
export const openBuilder = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Filter/ }).click();
  await page.getByLabel('Attribute').first().waitFor();
};

/** Fills in the last row of the builder, without its value. */
export const addCondition = async (page: Page, attribute: string, op?: string): Promise<void> => {
  await page.getByLabel('Attribute').last().selectOption({ label: attribute });
  if (op) await page.getByLabel('Operator').last().selectOption({ label: op });
};

/** Chooses a value of the condition that has none yet. */
export const chooseValue = async (page: Page, value: string): Promise<void> => {
  await page.getByRole('button', { name: 'Value: none' }).click();
  await page.getByRole('option', { name: value }).first().click();
};

/** Chooses an option of a select that is searched, such as that of a country. */
export const chooseFrom = async (field: Locator, option: string): Promise<void> => {
  await field.click();
  await field.page().locator('input[role=combobox]:focus').fill(option);
  await field.page().getByRole('option', { name: option }).first().click();
};
