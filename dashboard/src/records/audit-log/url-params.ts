import { dateRangeParam } from '../../lib/date-range.ts';
import {
  enumParam,
  listParam,
  pageParam,
  type RawSearch,
  sizeParam,
  sortParam,
  textParam,
} from '../../lib/search-params.ts';

/** The kinds of records in the audit log. */
export const kinds = [
  'contact',
  'agent',
  'version',
  'channel',
  'call',
  'campaign',
  'enrollment',
  'import',
  'integration',
  'webhook',
  'key',
  'user',
  'link',
  'session',
  'settings',
  'segment',
  'view',
  'bulk_job',
  'duplicate',
  'workspace',
] as const;
export type Kind = (typeof kinds)[number];

export interface AuditLogSearch {
  readonly kind?: Kind | undefined;
  /** The id of the actor. */
  readonly actor?: string | undefined;
  /** The id of the changed record. */
  readonly record?: string | undefined;
  /** A range of days. */
  readonly date?: string | undefined;
  readonly sort?: 'at' | '-at' | undefined;
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly columns?: string | undefined;
  /** A saved view. */
  readonly view_id?: string | undefined;
}

export const parseAuditLogSearch = (raw: RawSearch): AuditLogSearch => ({
  kind: enumParam(kinds, raw.kind),
  actor: textParam(raw.actor),
  record: textParam(raw.record),
  date: dateRangeParam(raw.date),
  sort: sortParam(['at'] as const, raw.sort),
  page: pageParam(raw.page),
  size: sizeParam(raw.size),
  columns: listParam(raw.columns),
  view_id: textParam(raw.view_id),
});
