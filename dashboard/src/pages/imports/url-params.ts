import { enumParam, flagParam, pageParam, type RawSearch, textParam } from '../../lib/search-params.ts';

export const verdicts = ['create', 'update', 'unchanged', 'duplicate_in_file', 'invalid'] as const;
export const effects = ['created', 'updated', 'none', 'removed', 'restored', 'edited_since'] as const;
export const reasons = [
  'country_missing',
  'country_mismatch',
  'phone_too_short',
  'country_ambiguous',
  'digits_lost',
  'phone_missing',
  'phone_invalid',
  'email_invalid',
  'tags_invalid',
  'value_invalid',
  'crm_id_invalid',
  'crm_id_conflict',
  'duplicate_in_file',
] as const;

export interface ImportsSearch {
  readonly page?: number | undefined;
  /** The id of an import whose file is to be read in another way. */
  readonly again?: string | undefined;
}

export const parseImportsSearch = (raw: RawSearch): ImportsSearch => ({
  page: pageParam(raw.page),
  again: textParam(raw.again),
});

export interface ImportSearch {
  readonly verdict?: (typeof verdicts)[number] | undefined;
  readonly effect?: (typeof effects)[number] | undefined;
  readonly reason?: (typeof reasons)[number] | undefined;
  /** Only rows with warnings. */
  readonly warnings?: true | undefined;
  readonly page?: number | undefined;
  /** The dialog for columns and rules is open. */
  readonly change?: true | undefined;
}

/** Rows are filtered by verdict, effect, reason or warnings, one at a time. */
export const parseImportSearch = (raw: RawSearch): ImportSearch => {
  const verdict = enumParam(verdicts, raw.verdict);
  const effect = verdict ? undefined : enumParam(effects, raw.effect);
  const reason = verdict || effect ? undefined : enumParam(reasons, raw.reason);
  return {
    verdict,
    effect,
    reason,
    warnings: verdict || effect || reason ? undefined : flagParam(raw.warnings),
    page: pageParam(raw.page),
    change: flagParam(raw.change),
  };
};
