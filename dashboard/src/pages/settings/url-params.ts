import { enumParam, flagParam, type RawSearch } from '../../app/search-params.ts';

export const tabs = ['keys', 'members', 'workspace', 'account'] as const;

/** Tabs by the names that they had in URLs before. */
const formerTabs: Readonly<Record<string, unknown>> = { people: 'members', you: 'account' };

export interface SettingsSearch {
  readonly tab?: (typeof tabs)[number] | undefined;
  /** The dialog of the tab that adds a key or a person is open. */
  readonly add?: true | undefined;
}

/** What the address of the page holds. */
export const parseSettingsSearch = (raw: RawSearch): SettingsSearch => ({
  tab: enumParam(tabs, formerTabs[String(raw.tab)] ?? raw.tab),
  add: flagParam(raw.add),
});
