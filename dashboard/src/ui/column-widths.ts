import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface Widths {
  readonly columns: string;
  /** The width of the container when they were measured. */
  readonly container: number;
  /** A custom property for each column. */
  readonly style: CSSProperties;
}

/** A vertical scrollbar that appears is no reason to measure again. */
const SCROLLBAR_PX = 24;

/** The id of a column may have dots, such as `fields.plan`. */
const propertyOf = (column: string): string => `--column-${column.replaceAll('.', '_')}`;

/** The width of a column; not defined before the columns are measured. */
export const columnWidth = (column: string): string => `var(${propertyOf(column)})`;

/** Keeps the widths that columns get from the first full page of rows, so that they do not shift when other rows are shown. They
 *  are measured again when the columns or the width of the table change. Headers have the id of their column as `data-column`. */
export const useColumnWidths = (
  ids: readonly string[],
  isFull: boolean,
): { readonly ref: RefObject<HTMLTableElement | null>; readonly style: CSSProperties | undefined } => {
  const ref = useRef<HTMLTableElement>(null);
  const columns = ids.join();
  const [measured, setMeasured] = useState<Widths>();
  const widths = measured?.columns === columns ? measured : undefined;
  useLayoutEffect(() => {
    const container = ref.current?.parentElement;
    if (widths || !isFull || !ref.current || !container) return;
    const headers = [...ref.current.querySelectorAll<HTMLElement>('th[data-column]')];
    const style = Object.fromEntries(
      headers
        .filter(({ offsetWidth }) => offsetWidth > 0)
        .map((header) => [
          propertyOf(header.dataset.column ?? ''),
          `${header.getBoundingClientRect().width}px`,
        ]),
    );
    setMeasured({ columns, container: container.clientWidth, style });
  }, [widths, isFull, columns]);
  useEffect(() => {
    const container = ref.current?.parentElement;
    if (!widths || !container) return;
    const observer = new ResizeObserver(() => {
      if (Math.abs(container.clientWidth - widths.container) > SCROLLBAR_PX) setMeasured(undefined);
    });
    observer.observe(container);
    return () => observer.disconnect();
  }, [widths]);
  return { ref, style: widths?.style };
};
