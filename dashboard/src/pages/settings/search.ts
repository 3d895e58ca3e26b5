import { flagIn, oneIn, type RawSearch } from '../../app/address.ts';

export const tabs = ['keys', 'people', 'workspace', 'you'] as const;

export interface SettingsSearch {
  readonly tab?: (typeof tabs)[number] | undefined;
  /** The dialog of the tab that adds a key or a person is open. */
  readonly add?: true | undefined;
}

/** What the address of the page holds. */
export const settingsSearch = (raw: RawSearch): SettingsSearch => ({
  tab: oneIn(tabs, raw.tab),
  add: flagIn(raw.add),
});
