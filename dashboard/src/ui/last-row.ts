/* The table row that was opened, or that the keyboard was used on, last. The focus returns to it after the page or dialog that it opened. */

let lastId: string | undefined;

export const rememberRow = (id: string | undefined): void => {
  lastId = id;
};

/** Undefined if the page does not show the row. */
export const lastRow = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('main tr[data-row]')].find(
    ({ dataset }) => dataset.row === lastId,
  );
