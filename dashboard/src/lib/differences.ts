import { pointerTo } from './json-text.ts';

/** A difference of two JSON values, as the service reports those of configurations. */
export interface Difference {
  /** A JSON Pointer. */
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly before?: unknown;
  readonly after?: unknown;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isSame = (one: unknown, other: unknown) =>
  one === other || (isContainer(one) && JSON.stringify(one) === JSON.stringify(other));

/** How two values differ, member by member. `isWhole` tells which ones are not taken apart. */
export const differencesOf = (
  before: unknown,
  after: unknown,
  isWhole: (value: object) => boolean = () => false,
  path = '',
): Difference[] => {
  const isDivided = (value: unknown): value is object => isContainer(value) && !isWhole(value);
  if (!isDivided(before) || !isDivided(after) || Array.isArray(before) !== Array.isArray(after))
    return isSame(before, after) ? [] : [{ path, change: 'changed', before, after }];
  const [older, newer] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...older.keys(), ...newer.keys()])].flatMap((name): Difference[] => {
    const at = pointerTo(path, name);
    if (!newer.has(name)) return [{ path: at, change: 'removed', before: older.get(name) }];
    if (!older.has(name)) return [{ path: at, change: 'added', after: newer.get(name) }];
    return differencesOf(older.get(name), newer.get(name), isWhole, at);
  });
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/** How two texts of JSON differ; undefined if one is not JSON yet. Formatting is no difference. */
export const jsonDifferences = (before: string, after: string): Difference[] | undefined => {
  const [older, newer] = [parsed(before), parsed(after)];
  return older === undefined || newer === undefined ? undefined : differencesOf(older, newer);
};
