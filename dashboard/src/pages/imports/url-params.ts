import { enumParam, flagParam, pageParam, type RawSearch } from '../../lib/search-params.ts';

export const verdicts = ['create', 'update', 'unchanged', 'duplicate_in_file', 'invalid'] as const;
export const effects = ['created', 'updated', 'none', 'removed', 'restored', 'edited_since'] as const;

export const parseImportsSearch = (raw: RawSearch): { page?: number | undefined } => ({
  page: pageParam(raw.page),
});

export interface ImportSearch {
  readonly verdict?: (typeof verdicts)[number] | undefined;
  readonly effect?: (typeof effects)[number] | undefined;
  /** Only rows with warnings. */
  readonly warnings?: true | undefined;
  readonly page?: number | undefined;
  /** The dialog for columns and rules is open. */
  readonly change?: true | undefined;
}

/** Rows are filtered by verdict, effect or warnings, one at a time. */
export const parseImportSearch = (raw: RawSearch): ImportSearch => {
  const verdict = enumParam(verdicts, raw.verdict);
  const effect = verdict ? undefined : enumParam(effects, raw.effect);
  return {
    verdict,
    effect,
    warnings: verdict || effect ? undefined : flagParam(raw.warnings),
    page: pageParam(raw.page),
    change: flagParam(raw.change),
  };
};
