import { canonicalJson } from '../../lib/canonical-json.ts';
import { pointerTo } from '../../lib/json-pointer.ts';
import { isObject } from '../../lib/validation.ts';

export interface ConfigChange {
  /** A JSON Pointer. */
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly before?: unknown;
  readonly after?: unknown;
}

type Members = ReadonlyMap<string, unknown>;

/** The members of an object or an array; undefined for other values. */
const membersOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;

/** How two configurations differ: the deepest members that were added, removed or changed, in the order of the older one. Members of arrays
 *  are compared by their positions. */
export const configChanges = (before: unknown, after: unknown, path = ''): ConfigChange[] => {
  const older = membersOf(before);
  const newer = membersOf(after);
  if (!older || !newer || isObject(before) !== isObject(after))
    return canonicalJson(before) === canonicalJson(after) ? [] : [{ path, change: 'changed', before, after }];
  const names = new Set([...older.keys(), ...newer.keys()]);
  return [...names].flatMap((name): ConfigChange[] => {
    const at = pointerTo(path, name);
    if (!newer.has(name)) return [{ path: at, change: 'removed', before: older.get(name) }];
    if (!older.has(name)) return [{ path: at, change: 'added', after: newer.get(name) }];
    return configChanges(older.get(name), newer.get(name), at);
  });
};
