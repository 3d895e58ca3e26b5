import { useState } from 'react';

/** The text of a version, and the ETag of the agent when it was read. */
export interface BaseVersion {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly etag: string | null;
}

/** The edited text and the version it is based on. A newer version replaces both if no edits are lost; otherwise it
 *  is `theirs` until the user decides. */
export const useDraft = (newest: BaseVersion | undefined) => {
  const [base, setGround] = useState(newest);
  const [typed, setTyped] = useState(newest?.text ?? '');
  const [lastSaved, setLastSaved] = useState<string>();
  const isDirty = base !== undefined && typed !== base.text;
  const isNewer = newest && (newest.id !== base?.id || newest.etag !== base.etag);
  const isSafeToReplace =
    newest?.id === base?.id ||
    !isDirty ||
    newest?.text === typed ||
    newest?.text === base?.text ||
    newest?.text === lastSaved;
  if (isNewer && isSafeToReplace) {
    setGround(newest);
    if (!isDirty) setTyped(newest.text);
  }
  return {
    typed,
    setTyped,
    base,
    isDirty,
    theirs: isNewer && !isSafeToReplace ? newest : undefined,
    /** Records a text that this page saved, so that the resulting version is not mistaken for someone else's. */
    setLastSaved,
    /** Discards the edits and continues from the other version. */
    replaceWith: (other: BaseVersion) => {
      setGround(other);
      setTyped(other.text);
    },
  };
};

export type Draft = ReturnType<typeof useDraft>;

export const versionNumber = (label: string): number => Number(label.slice(1));
