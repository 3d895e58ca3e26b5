/** Tables after the tables that they reference. */
export const parentsFirst = <T extends { readonly name: string; readonly parents: readonly string[] }>(
  tables: readonly T[],
): T[] => {
  const sorted: T[] = [];
  for (let waiting = [...tables]; waiting.length > 0; ) {
    const names = new Set(waiting.map(({ name }) => name));
    const next = waiting.filter(({ parents }) => !parents.some((parent) => names.has(parent)));
    if (next.length === 0) throw new Error('tables reference each other in a circle');
    sorted.push(...next);
    waiting = waiting.filter((table) => !next.includes(table));
  }
  return sorted;
};
