import { flagParam, pageParam, type RawSearch } from '../../../app/search-params.ts';

export interface AgentSearch {
  /** The labels of one or two versions: `v1..v3`; a single one waits for the other. */
  readonly compare?: string | undefined;
  /** The label of the version whose deploy is being confirmed. */
  readonly deploy?: string | undefined;
  /** The label of the version that is being read. */
  readonly version?: string | undefined;
  /** The page of the line of versions. */
  readonly page?: number | undefined;
  /** The page of the deploys. */
  readonly deploys?: number | undefined;
  /** The dialog that connects a channel is open. */
  readonly connect?: true | undefined;
}

const fitting = (pattern: RegExp, raw: unknown): string | undefined =>
  typeof raw === 'string' && pattern.test(raw) ? raw : undefined;

/** What the address of the page holds. */
export const parseAgentSearch = (raw: RawSearch): AgentSearch => ({
  compare: fitting(/^v[1-9]\d*(\.\.v[1-9]\d*)?$/, raw.compare),
  deploy: fitting(/^v[1-9]\d*$/, raw.deploy),
  version: fitting(/^v[1-9]\d*$/, raw.version),
  page: pageParam(raw.page),
  deploys: pageParam(raw.deploys),
  connect: flagParam(raw.connect),
});
