import { pointerTo } from '../../../lib/json-text.ts';

/** A difference of two configurations, as the service reports it. */
export interface ConfigChange {
  /** A JSON Pointer. */
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly before?: unknown;
  readonly after?: unknown;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const changesOf = (before: unknown, after: unknown, path: string): ConfigChange[] => {
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after))
    return before === after ? [] : [{ path, change: 'changed', before, after }];
  const [older, newer] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...older.keys(), ...newer.keys()])].flatMap((name): ConfigChange[] => {
    const at = pointerTo(path, name);
    if (!newer.has(name)) return [{ path: at, change: 'removed', before: older.get(name) }];
    if (!older.has(name)) return [{ path: at, change: 'added', after: newer.get(name) }];
    return changesOf(older.get(name), newer.get(name), at);
  });
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/** How two configurations differ; undefined if one is not JSON yet. Formatting is no difference. */
export const configChanges = (before: string, after: string): ConfigChange[] | undefined => {
  const [older, newer] = [parsed(before), parsed(after)];
  return older === undefined || newer === undefined ? undefined : changesOf(older, newer, '');
};
