import { useState } from 'react';

/** The text of a version, and the state of the agent when it was read. */
export interface BaseVersion {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly etag: string | null;
  /** The id of the newest version of the agent. */
  readonly newest: string;
}

/** The edited text and the version it is based on. Another opened version replaces both if no edits are lost. A version that
 *  someone else saved meanwhile is `theirs` until the user decides. */
export const useDraft = (opened: BaseVersion | undefined) => {
  const [base, setBase] = useState(opened);
  const [typed, setTyped] = useState(opened?.text ?? '');
  const [lastSaved, setLastSaved] = useState<string>();
  const isDirty = base !== undefined && typed !== base.text;
  const isOutdated =
    opened !== undefined &&
    (opened.etag !== base?.etag || opened.newest !== base.newest || (opened.id !== base.id && !isDirty));
  const isSafeToReplace =
    !isDirty || opened?.text === typed || opened?.text === base?.text || opened?.text === lastSaved;
  const isConflict = isOutdated && opened.newest !== base?.newest && !isSafeToReplace;
  if (isOutdated && !isConflict) {
    setBase(isSafeToReplace || !base ? opened : { ...base, etag: opened.etag });
    if (!isDirty) setTyped(opened.text);
  }
  return {
    typed,
    setTyped,
    base,
    isDirty,
    theirs: isConflict ? opened : undefined,
    /** Records a text that this page saved, so that the resulting version is not mistaken for someone else's. */
    setLastSaved,
    /** Discards the edits and continues from the other version. */
    replaceWith: (other: BaseVersion) => {
      setBase(other);
      setTyped(other.text);
    },
  };
};

export type Draft = ReturnType<typeof useDraft>;

export const versionNumber = (label: string): number => Number(label.slice(1));
