import { NO_CONFIG, textOf, type VersionRow, type VersionText } from './agent.store.ts';
import { configChanges } from './config.changes.ts';
import { differenceOf } from './difference.ts';

export type VersionDifference = ReturnType<typeof differenceOfTexts>;

const named = (text: VersionText | undefined) => ({
  name: text?.version_label ?? '',
  text: text?.instructions ?? '',
});
const parsed = (text: VersionText | undefined): unknown => JSON.parse(text?.config ?? NO_CONFIG);

/** How the instructions and the configurations of two versions differ; the older one may be none. */
export const differenceOfTexts = (older: VersionText | undefined, newer: VersionText) => ({
  ...differenceOf(named(older), named(newer)),
  config: { changes: configChanges(parsed(older), parsed(newer)) },
});

export const versionDifference = (older: VersionRow, newer: VersionRow) =>
  differenceOfTexts(textOf(older), textOf(newer));
