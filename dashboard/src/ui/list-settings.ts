/** What a person prefers for a list, in this browser. */
export interface ListSettings {
  readonly size?: number;
  /** The ids of the visible columns in their order, separated by commas. */
  readonly columns?: string;
  /** The widths of resized columns in pixels, by their ids. */
  readonly widths?: Readonly<Record<string, number>>;
  /** The id of the view that opens with the list. */
  readonly view?: string | undefined;
}

const keyOf = (list: string) => `roster.list.${list}`;

/** Storage can be disabled or full; then nothing is remembered. */
export const readListSettings = (list: string): ListSettings => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(list)) ?? '{}');
    return typeof stored === 'object' && stored !== null ? stored : {};
  } catch {
    return {};
  }
};

export const rememberListSettings = (list: string, change: ListSettings): void => {
  try {
    localStorage.setItem(keyOf(list), JSON.stringify({ ...readListSettings(list), ...change }));
  } catch {
    // Nothing depends on it.
  }
};
