import type { VersionSummary } from '../../../api/types.gen.ts';
import { versionNumber } from './draft.ts';

/** The labels in the URL of versions that exist. */
export const comparedVersions = (
  compare: string | undefined,
  versions: readonly VersionSummary[],
): string[] =>
  (compare?.split('..') ?? []).filter((label) => versions.some((each) => each.version_label === label));

/** The `compare` parameter after a version was toggled, older version first. A third version replaces the first one
 *  selected. */
export const toggleVersion = (chosen: readonly string[], label: string): string | undefined => {
  const next = chosen.includes(label)
    ? chosen.filter((each) => each !== label)
    : [...chosen.slice(-1), label].sort((a, b) => versionNumber(a) - versionNumber(b));
  return next.length === 0 ? undefined : next.join('..');
};
