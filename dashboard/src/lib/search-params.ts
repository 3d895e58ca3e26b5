/** Search parameters as plain text, so that a URL can be read, typed and shared. */
export type RawSearch = Readonly<Record<string, unknown>>;

export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

export const stringifySearch = (search: RawSearch): string => {
  const present = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return present.length === 0
    ? ''
    : `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)]))}`;
};

/* Parsers of single parameters. A missing or invalid value is `undefined`, not an error, because people edit URLs. */
export const textParam = (raw: unknown): string | undefined =>
  typeof raw === 'string' && raw !== '' ? raw : typeof raw === 'number' ? String(raw) : undefined;

/** A page number of 2 or more; the first page has no parameter. */
export const pageParam = (raw: unknown): number | undefined => {
  const page = Number(raw);
  return Number.isSafeInteger(page) && page > 1 ? page : undefined;
};

export const PAGE_SIZE = 50;
export const PAGE_SIZES = [25, 50, 100] as const;

/** The number of rows of a page, if the URL has one of those that are offered. */
export const sizeParam = (raw: unknown): number | undefined =>
  PAGE_SIZES.find((size) => size === Number(raw));

/** The column that a list is sorted by; `-` reverses the order. */
export const sortParam = <T extends string>(keys: readonly T[], raw: unknown): T | `-${T}` | undefined =>
  keys.flatMap((key) => [key, `-${key}` as const]).find((each) => each === raw);

/** Several values, separated by commas. */
export const listParam = (raw: unknown): string | undefined =>
  textParam(raw)?.split(',').filter(Boolean).join(',') || undefined;
export const toList = (value: string | undefined): readonly string[] =>
  value?.split(',').filter(Boolean) ?? [];

/** The query of a page; pages count from 1. */
export const pageQuery = (page: number, size = PAGE_SIZE): { limit: number; offset: number } => ({
  limit: size,
  offset: (page - 1) * size,
});

export const toPageParam = (page: number): number | undefined => (page > 1 ? page : undefined);

export const flagParam = (raw: unknown): true | undefined =>
  raw === true || raw === 'true' ? true : undefined;

export const enumParam = <T extends string>(choices: readonly T[], raw: unknown): T | undefined =>
  choices.find((each) => each === raw);

/** The path to open after sign-in. Only paths of the dashboard are accepted, so that a link cannot redirect
 *  elsewhere. */
export const returnPathParam = (raw: unknown): string | undefined =>
  typeof raw === 'string' && /^\/(?![/\\])[^\t\n\r]*$/.test(raw) && !raw.startsWith('/sign-in')
    ? raw
    : undefined;

const searches = new Map<string, RawSearch>();
/** The paths of this tab's history, by their position. */
const paths: string[] = [];
let position = 0;

/** Remembers the filters and page of a list for the back link of its records. An open dialog is not remembered. */
export const rememberSearch = (
  path: string,
  { add: _, peek: __, ...search }: RawSearch,
  index: number,
): void => {
  searches.set(path, search);
  paths[index] = path;
  position = index;
};

export const lastSearch = (path: string): RawSearch => searches.get(path) ?? {};

/** Whether Back returns to this page. */
export const isBefore = (path: string): boolean => paths[position - 1] === path;
