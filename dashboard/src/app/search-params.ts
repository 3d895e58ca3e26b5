/** What the address bar holds: plain texts, so that an address can be read, typed and shared. */
export type RawSearch = Readonly<Record<string, unknown>>;

export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

export const stringifySearch = (search: RawSearch): string => {
  const given = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};

/* Readers of single values. What is absent or makes no sense is `undefined`, never an error: an address is typed by hand. */
export const textParam = (raw: unknown): string | undefined =>
  typeof raw === 'string' && raw !== '' ? raw : typeof raw === 'number' ? String(raw) : undefined;

/** A page number from 2 on; the first page needs no word in the address. */
export const pageParam = (raw: unknown): number | undefined => {
  const page = Number(raw);
  return Number.isSafeInteger(page) && page > 1 ? page : undefined;
};

export const flagParam = (raw: unknown): true | undefined =>
  raw === true || raw === 'true' ? true : undefined;

export const enumParam = <T extends string>(choices: readonly T[], raw: unknown): T | undefined =>
  choices.find((each) => each === raw);

/** Where to go after a sign-in: only within these pages. */
export const returnPathParam = (raw: unknown): string | undefined =>
  typeof raw === 'string' && /^\/(?![/\\])[^\t\n\r]*$/.test(raw) && !raw.startsWith('/sign-in')
    ? raw
    : undefined;

const searches = new Map<string, RawSearch>();

/** Remembers the filters and the page of a list, so that a record can lead back to where it was found. An open dialog is left
 *  out. */
export const rememberSearch = (path: string, { add: _, ...search }: RawSearch): void => {
  searches.set(path, search);
};

export const lastSearch = (path: string): RawSearch => searches.get(path) ?? {};
