export type Tags = readonly string[];

/** The tags without what a change from `before` to `after` added, and with what it removed. Later changes remain. */
export const withoutChange = (now: Tags, before: Tags, after: Tags): string[] => {
  if (now.join('\n') === after.join('\n')) return [...before];
  const kept = now.filter((tag) => before.includes(tag) || !after.includes(tag));
  const removed = before.filter((tag) => !after.includes(tag) && !now.includes(tag));
  return [...kept, ...removed];
};
