import { flagParam, pageParam, type RawSearch, textParam } from '../../../lib/search-params.ts';

export interface VersionSearch {
  /** A time at which the version was live. */
  readonly at?: string | undefined;
  /** The page of the deploys. */
  readonly deploys?: number | undefined;
  /** The deploy dialog is open. */
  readonly deploy?: true | undefined;
  /** The preview is open, with the contact of this id, or with the newest one. */
  readonly preview?: string | undefined;
}

/** The value of the parameter `preview` for the newest contact. */
export const PREVIEW_NEWEST = 'newest';

/** A time in ISO 8601. */
export const timeParam = (raw: unknown): string | undefined =>
  typeof raw === 'string' && /^\d{4}-/.test(raw) && !Number.isNaN(Date.parse(raw))
    ? new Date(raw).toISOString()
    : undefined;

export const parseVersionSearch = (raw: RawSearch): VersionSearch => ({
  at: timeParam(raw.at),
  deploys: pageParam(raw.deploys),
  deploy: flagParam(raw.deploy),
  preview: textParam(raw.preview),
});
