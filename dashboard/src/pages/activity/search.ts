import { oneIn, pageIn, type RawSearch, textIn } from '../../app/address.ts';

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

export interface ActivitySearch {
  readonly kind?: Kind | undefined;
  /** The id of who did it. */
  readonly actor?: string | undefined;
  /** The id of the record that it was done to. */
  readonly record?: string | undefined;
  readonly page?: number | undefined;
}

/** What the address of the list holds. */
export const activitySearch = (raw: RawSearch): ActivitySearch => ({
  kind: oneIn(kinds, raw.kind),
  actor: textIn(raw.actor),
  record: textIn(raw.record),
  page: pageIn(raw.page),
});
