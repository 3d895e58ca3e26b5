import { enumParam, type RawSearch, textParam } from '../../../lib/search-params.ts';

const dialogs = ['phone', 'identity', 'merge', 'enroll', 'delete'] as const;

export const timelineKinds = ['edit', 'tag', 'import', 'enrollment', 'call', 'message'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export interface ContactSearch {
  /** The kinds of entries that the timeline shows, separated by commas; all without it. */
  readonly show?: string | undefined;
  /** The contact to merge with, in the dialog. */
  readonly with?: string | undefined;
  /** The open dialog. */
  readonly open?: (typeof dialogs)[number] | undefined;
}

export const kindsIn = (show: string | undefined): TimelineKind[] =>
  timelineKinds.filter((kind) => show?.split(',').includes(kind));

export const parseContactSearch = (raw: RawSearch): ContactSearch => ({
  show: kindsIn(textParam(raw.show)).join() || undefined,
  with: textParam(raw.with),
  open: enumParam(dialogs, raw.open),
});
