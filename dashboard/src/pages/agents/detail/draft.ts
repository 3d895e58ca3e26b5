import { useState } from 'react';

/** The text of a version, and the tag of the agent as both were read. */
export interface Ground {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly etag: string | null;
}

/** The text being written, and the version that it began from. A newer version takes its place only where nothing that was
 *  typed is lost; else it is `theirs`, until a choice is made. */
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
    /** A text that was sent from here: the version that has it is no one else's. */
    setSent,
    /** Drops what was typed for the other text. */
    take: (other: Ground) => {
      setGround(other);
      setTyped(other.text);
    },
  };
};

export type Draft = ReturnType<typeof useDraft>;

export const numberOf = (label: string): number => Number(label.slice(1));
