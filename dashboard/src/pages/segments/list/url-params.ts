import { flagParam, pageParam, type RawSearch, textParam } from '../../../lib/search-params.ts';

export interface SegmentsSearch {
  readonly page?: number | undefined;
  /** The dialog that creates a segment is open. */
  readonly add?: true | undefined;
  /** The segment that is being edited, copied or deleted. */
  readonly edit?: string | undefined;
  readonly copy?: string | undefined;
  readonly remove?: string | undefined;
}

export const parseSegmentsSearch = (raw: RawSearch): SegmentsSearch => ({
  page: pageParam(raw.page),
  add: flagParam(raw.add),
  edit: textParam(raw.edit),
  copy: textParam(raw.copy),
  remove: textParam(raw.remove),
});
