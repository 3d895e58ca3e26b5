import { enumParam, pageParam, type RawSearch, textParam } from '../../../app/search-params.ts';

/** What changes are told of. */
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
  'key',
  'user',
  'link',
  'session',
  'settings',
  'workspace',
] as const;
export type Kind = (typeof kinds)[number];

export interface AuditLogSearch {
  readonly kind?: Kind | undefined;
  /** The id of who did it. */
  readonly actor?: string | undefined;
  /** The id of the record that it was done to. */
  readonly record?: string | undefined;
  readonly page?: number | undefined;
}

/** What the address of the list holds. */
export const parseAuditLogSearch = (raw: RawSearch): AuditLogSearch => ({
  kind: enumParam(kinds, raw.kind),
  actor: textParam(raw.actor),
  record: textParam(raw.record),
  page: pageParam(raw.page),
});
