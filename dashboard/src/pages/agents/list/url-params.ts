import { flagParam, pageParam, type RawSearch } from '../../../lib/search-params.ts';

export interface AgentsSearch {
  readonly page?: number | undefined;
  /** The dialog that creates an agent is open. */
  readonly add?: true | undefined;
}

export const parseAgentsSearch = (raw: RawSearch): AgentsSearch => ({
  page: pageParam(raw.page),
  add: flagParam(raw.add),
});
