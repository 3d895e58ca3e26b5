import { enumParam, flagParam, type RawSearch } from '../../lib/search-params.ts';

export const tabs = ['keys', 'members', 'fields', 'calls', 'workspace', 'account'] as const;

/** Former names of tabs, so that old links work. */
const formerTabs: Readonly<Record<string, unknown>> = { people: 'members', you: 'account' };

export interface SettingsSearch {
  readonly tab?: (typeof tabs)[number] | undefined;
  /** The dialog that creates a key or a field, or adds a member, is open. */
  readonly add?: true | undefined;
}

export const parseSettingsSearch = (raw: RawSearch): SettingsSearch => ({
  tab: enumParam(tabs, formerTabs[String(raw.tab)] ?? raw.tab),
  add: flagParam(raw.add),
});
