import { useState } from 'react';

export type MarkDirty = (name: string, isDirty: boolean) => void;

/** Tracks which fields have unsaved changes. */
export const useDirty = (): { isDirty: boolean; mark: MarkDirty } => {
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  const mark: MarkDirty = (name, isDirty) =>
    setNames((now) => {
      if (now.has(name) === isDirty) return now;
      const next = new Set(now);
      if (isDirty) next.add(name);
      else next.delete(name);
      return next;
    });
  return { isDirty: names.size > 0, mark };
};
