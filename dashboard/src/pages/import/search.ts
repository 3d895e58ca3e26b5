import { flagIn, oneIn, pageIn, type RawSearch } from '../../app/address.ts';

export const verdicts = ['create', 'update', 'unchanged', 'duplicate_in_file', 'invalid'] as const;
export const effects = ['created', 'updated', 'none', 'removed', 'restored', 'edited_since'] as const;

/** What the address of the list holds. */
export const importsSearch = (raw: RawSearch): { page?: number | undefined } => ({ page: pageIn(raw.page) });

export interface ImportSearch {
  readonly verdict?: (typeof verdicts)[number] | undefined;
  readonly effect?: (typeof effects)[number] | undefined;
  /** Only rows with warnings. */
  readonly warnings?: true | undefined;
  readonly page?: number | undefined;
  /** The dialog with columns and rules is open. */
  readonly change?: true | undefined;
}

/** What the address of one import holds. Rows are narrowed by verdict, by effect or by warnings. */
export const importSearch = (raw: RawSearch): ImportSearch => {
  const verdict = oneIn(verdicts, raw.verdict);
  const effect = verdict ? undefined : oneIn(effects, raw.effect);
  return {
    verdict,
    effect,
    warnings: verdict || effect ? undefined : flagIn(raw.warnings),
    page: pageIn(raw.page),
    change: flagIn(raw.change),
  };
};
