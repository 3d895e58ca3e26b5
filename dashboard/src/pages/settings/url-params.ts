import { enumParam, flagParam, type RawSearch } from '../../app/search-params.ts';

export const tabs = ['keys', 'people', 'workspace', 'you'] as const;

export interface SettingsSearch {
  readonly tab?: (typeof tabs)[number] | undefined;
  /** The dialog of the tab that adds a key or a person is open. */
  readonly add?: true | undefined;
}

/** What the address of the page holds. */
export const parseSettingsSearch = (raw: RawSearch): SettingsSearch => ({
  tab: enumParam(tabs, raw.tab),
  add: flagParam(raw.add),
});
