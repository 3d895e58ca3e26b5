import { flagIn, pageIn, type RawSearch } from '../../app/address.ts';

export interface AgentsSearch {
  readonly page?: number | undefined;
  /** The dialog that creates an agent is open. */
  readonly add?: true | undefined;
}

/** What the address of the list holds. */
export const agentsSearch = (raw: RawSearch): AgentsSearch => ({
  page: pageIn(raw.page),
  add: flagIn(raw.add),
});
