import { useState } from 'react';

/** The text of a version, and the ETag of the agent when it was read. */
export interface Ground {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly etag: string | null;
}

/** The edited text and the version it is based on. A newer version replaces both if no edits are lost; otherwise it
 *  is `theirs` until the user decides. */
export const useDraft = (newest: Ground | undefined) => {
  const [ground, setGround] = useState(newest);
  const [typed, setTyped] = useState(newest?.text ?? '');
  const [sent, setSent] = useState<string>();
  const isDirty = ground !== undefined && typed !== ground.text;
  const isNews = newest && (newest.id !== ground?.id || newest.etag !== ground.etag);
  const isHarmless =
    newest?.id === ground?.id ||
    !isDirty ||
    newest?.text === typed ||
    newest?.text === ground?.text ||
    newest?.text === sent;
  if (isNews && isHarmless) {
    setGround(newest);
    if (!isDirty) setTyped(newest.text);
  }
  return {
    typed,
    setTyped,
    ground,
    isDirty,
    theirs: isNews && !isHarmless ? newest : undefined,
    /** Records a text that this page saved, so that the resulting version is not mistaken for someone else's. */
    setSent,
    /** Discards the edits and continues from the other version. */
    take: (other: Ground) => {
      setGround(other);
      setTyped(other.text);
    },
  };
};

export type Draft = ReturnType<typeof useDraft>;

export const numberOf = (label: string): number => Number(label.slice(1));
