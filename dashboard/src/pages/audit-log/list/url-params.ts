import { enumParam, pageParam, type RawSearch, textParam } from '../../../lib/search-params.ts';

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
  /** The id of the actor. */
  readonly actor?: string | undefined;
  /** The id of the changed record. */
  readonly record?: string | undefined;
  readonly page?: number | undefined;
}

export const parseAuditLogSearch = (raw: RawSearch): AuditLogSearch => ({
  kind: enumParam(kinds, raw.kind),
  actor: textParam(raw.actor),
  record: textParam(raw.record),
  page: pageParam(raw.page),
});
