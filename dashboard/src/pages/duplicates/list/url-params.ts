import { enumParam, flagParam, type RawSearch, textParam } from '../../../lib/search-params.ts';

const reasons = ['variant_numbers', 'same_email', 'same_external_id', 'same_name_and_company'] as const;

export interface DuplicatesSearch {
  readonly reason?: (typeof reasons)[number] | undefined;
  /** Shows the dismissed groups. */
  readonly dismissed?: true | undefined;
  /** The open group. */
  readonly group?: string | undefined;
}

export const parseDuplicatesSearch = (raw: RawSearch): DuplicatesSearch => ({
  reason: enumParam(reasons, raw.reason),
  dismissed: flagParam(raw.dismissed),
  group: textParam(raw.group),
});
