import { canonicalJson } from '../../lib/canonical-json.ts';
import { pointerTo } from '../../lib/json.ts';
import { isObject } from '../../lib/validation.ts';
import { NO_CONFIG, type VersionText } from './agent.store.ts';
import { differenceOf } from './difference.ts';

interface ConfigChange {
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
const configChanges = (before: unknown, after: unknown, path = ''): ConfigChange[] => {
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

export type VersionDifference = ReturnType<typeof differenceOfTexts>;

type ComparedText = Pick<VersionText, 'version_label' | 'instructions' | 'config'>;

const named = (text: ComparedText | undefined) => ({
  name: text?.version_label ?? '',
  text: text?.instructions ?? '',
});
const parsed = (text: ComparedText | undefined): unknown => JSON.parse(text?.config ?? NO_CONFIG);

/** How the instructions and the configurations of two versions differ; the older one may be none. */
export const differenceOfTexts = (older: ComparedText | undefined, newer: ComparedText) => ({
  ...differenceOf(named(older), named(newer)),
  config: { changes: configChanges(parsed(older), parsed(newer)) },
});
