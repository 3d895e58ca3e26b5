import {
  enumParam,
  flagParam,
  listParam,
  pageParam,
  type RawSearch,
  sizeParam,
  sortParam,
  textParam,
} from '../../../lib/search-params.ts';

export const campaignStatuses = ['draft', 'active', 'paused', 'finished'] as const;
const sorts = ['name', 'created_at', 'updated_at'] as const;

export interface CampaignsSearch {
  readonly search?: string | undefined;
  readonly status?: (typeof campaignStatuses)[number] | undefined;
  /** The id of an agent. */
  readonly agent?: string | undefined;
  readonly sort?: (typeof sorts)[number] | `-${(typeof sorts)[number]}` | undefined;
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly columns?: string | undefined;
  /** A saved view. */
  readonly view_id?: string | undefined;
  /** The dialog that creates a campaign is open. */
  readonly add?: true | undefined;
}

export const parseCampaignsSearch = (raw: RawSearch): CampaignsSearch => ({
  search: textParam(raw.search),
  status: enumParam(campaignStatuses, raw.status),
  agent: textParam(raw.agent),
  sort: sortParam(sorts, raw.sort),
  page: pageParam(raw.page),
  size: sizeParam(raw.size),
  columns: listParam(raw.columns),
  view_id: textParam(raw.view_id),
  add: flagParam(raw.add),
});
