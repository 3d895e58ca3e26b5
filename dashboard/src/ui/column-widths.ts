import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { readListSettings, rememberListSettings } from './list-settings.ts';

type ById = Readonly<Record<string, number>>;

interface Measured {
  readonly columns: string;
  /** The width of the container when they were measured. */
  readonly container: number;
  readonly widths: ById;
}

/** A vertical scrollbar that appears is no reason to measure again. */
const SCROLLBAR_PX = 24;

/** Narrower tables have no room to give. */
const SHARES_FROM_PX = 896;

/** The id of a column may have dots, such as `fields.plan`. */
const propertyOf = (column: string): string => `--column-${column.replaceAll('.', '_')}`;

/** The width of a column; not defined before the columns are measured. */
export const columnWidth = (column: string): string => `var(${propertyOf(column)})`;

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0);

/** The chosen widths, and those of the other columns, which share the rest of the table in proportion. */
const shared = (measured: ById, chosen: ById): ById => {
  const others = Object.keys(measured).filter((id) => !(id in chosen));
  const widthsOf = (ids: readonly string[], widths: ById) => ids.map((id) => widths[id] ?? 0);
  const taken = sum(widthsOf(Object.keys(measured), chosen));
  const scale = Math.max(0, sum(Object.values(measured)) - taken) / sum(widthsOf(others, measured));
  return { ...chosen, ...Object.fromEntries(others.map((id) => [id, (measured[id] ?? 0) * scale])) };
};

/** The widths with at least its share of the table for each column that has one. */
const withLeast = (widths: ById, shares: ById): ById => {
  const total = sum(Object.values(widths));
  const least = Object.entries(shares).map(([id, share]) => [id, share * total] as const);
  return shared(widths, Object.fromEntries(least.filter(([id, width]) => (widths[id] ?? width) < width)));
};

/** Keeps the widths that columns get from the first full page of rows, so that they do not shift when other rows are shown. They
 *  are measured again when the columns or the width of the table change. Headers have the id of their column as `data-column`.
 *  Widths that the user has chosen are remembered under the name of the list. */
export const useColumnWidths = (
  list: string,
  ids: readonly string[],
  /** The least share of the table by column, for those whose values differ much between pages. */
  shares: ById,
  isFull: boolean,
): {
  readonly table: {
    readonly ref: RefObject<HTMLTableElement | null>;
    readonly style: CSSProperties | undefined;
  };
  readonly chosen: ById;
  /** Without a width, the column gets its usual one. */
  readonly resize: (column: string, width: number | undefined) => void;
} => {
  const ref = useRef<HTMLTableElement>(null);
  const columns = ids.join();
  const [measured, setMeasured] = useState<Measured>();
  const [chosen, setChosen] = useState<ById>(() => readListSettings(list).widths ?? {});
  const current = measured?.columns === columns ? measured : undefined;
  useLayoutEffect(() => {
    const container = ref.current?.parentElement;
    if (current || !isFull || !ref.current || !container) return;
    const headers = [...ref.current.querySelectorAll<HTMLElement>('th[data-column]')];
    const widths = Object.fromEntries(
      headers
        .filter(({ offsetWidth }) => offsetWidth > 0)
        .map((header) => [header.dataset.column ?? '', header.getBoundingClientRect().width]),
    );
    const { clientWidth } = container;
    const hasRoom = clientWidth >= SHARES_FROM_PX;
    setMeasured({
      columns,
      container: clientWidth,
      widths: hasRoom ? withLeast(widths, shares) : widths,
    });
  }, [current, isFull, columns, shares]);
  useEffect(() => {
    const container = ref.current?.parentElement;
    if (!current || !container) return;
    const observer = new ResizeObserver(() => {
      if (Math.abs(container.clientWidth - current.container) > SCROLLBAR_PX) setMeasured(undefined);
    });
    observer.observe(container);
    return () => observer.disconnect();
  }, [current]);
  const widths = shared(current?.widths ?? {}, chosen);
  const style = Object.fromEntries(Object.entries(widths).map(([id, px]) => [propertyOf(id), `${px}px`]));
  return {
    table: { ref, style },
    chosen,
    resize: (column, width) => {
      const { [column]: _, ...others } = chosen;
      const next = width === undefined ? others : { ...others, [column]: width };
      rememberListSettings(list, { widths: next });
      setChosen(next);
      if (width === undefined) setMeasured(undefined);
    },
  };
};
