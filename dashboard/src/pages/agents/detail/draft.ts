import { useState } from 'react';
import { type Content, NO_CONFIG } from '../version-query.ts';

/** The content of a version, and the state of the agent when it was read. */
export interface BaseVersion extends Content {
  readonly id: string;
  readonly label: string;
  readonly etag: string | null;
  /** The id of the newest version of the agent. */
  readonly newest: string;
}

/** Edits as they are kept in the browser. */
export interface Kept {
  readonly base: BaseVersion;
  readonly typed: Content;
  readonly at: string;
}

export const DAYS_KEPT = 30;

const hasTexts = (value: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => typeof (value as Record<string, unknown> | null | undefined)?.[name] === 'string');

export const isKept = (value: unknown): value is Kept => {
  const { base, typed } = (value ?? {}) as Partial<Kept>;
  return (
    hasTexts(value, 'at') &&
    hasTexts(typed, 'text', 'config') &&
    hasTexts(base, 'id', 'label', 'newest', 'text', 'config')
  );
};

const isSame = (one: Content | undefined, other: Content): boolean =>
  one !== undefined && one.text === other.text && one.config.trim() === other.config.trim();

export const contentOf = ({ text, config }: Content): Content => ({ text, config });

/** The edited content and the version it is based on. Another opened version replaces both if no edits are lost. A version that
 *  someone else saved meanwhile is `theirs` until the user decides. Edits that the browser has kept continue where they ended. */
export const useDraft = (opened: BaseVersion | undefined, kept: Kept | undefined) => {
  const [base, setBase] = useState(kept?.base ?? opened);
  const [typed, setTyped] = useState<Content>(
    kept?.typed ?? (opened ? contentOf(opened) : { text: '', config: NO_CONFIG }),
  );
  const [lastSaved, setLastSaved] = useState<Content>();
  const isDirty = base !== undefined && !isSame(typed, base);
  const isOutdated =
    opened !== undefined &&
    (opened.etag !== base?.etag || opened.newest !== base.newest || (opened.id !== base.id && !isDirty));
  const isSafeToReplace =
    !isDirty || (opened !== undefined && [typed, base, lastSaved].some((content) => isSame(content, opened)));
  const isConflict = isOutdated && opened.newest !== base?.newest && !isSafeToReplace;
  if (isOutdated && !isConflict) {
    setBase(isSafeToReplace || !base ? opened : { ...base, etag: opened.etag });
    if (!isDirty) setTyped(contentOf(opened));
  }
  return {
    typed,
    setTyped,
    setText: (text: string) => setTyped((now) => ({ ...now, text })),
    setConfig: (config: string) => setTyped((now) => ({ ...now, config })),
    base,
    isDirty,
    isConfigDirty: base !== undefined && typed.config.trim() !== base.config.trim(),
    isTextDirty: base !== undefined && typed.text !== base.text,
    theirs: isConflict ? opened : undefined,
    /** Records what this page saved, so that the resulting version is not mistaken for someone else's. */
    setLastSaved,
    /** Discards the edits and continues from the other version. */
    replaceWith: (other: BaseVersion) => {
      setBase(other);
      setTyped(contentOf(other));
    },
  };
};

export type Draft = ReturnType<typeof useDraft>;

export const versionNumber = (label: string): number => Number(label.slice(1));
