export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly detail?: string | undefined;
  /** Other names that find it. */
  readonly names?: string;
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .toLowerCase();

/** How well a text fits: 0 from its beginning, 1 from the beginning of a word, 2 within a word. */
const rankOf = (text: string, needle: string): number | undefined => {
  const at = text.indexOf(needle);
  if (at <= 0) return at === 0 ? 0 : undefined;
  return text.includes(` ${needle}`) || text.includes(`/${needle}`) ? 1 : 2;
};

/** The options that contain what was typed, the best first. Without a text all, the chosen one first. */
export const choicesFor = (typed: string, chosen: string, all: readonly Choice[]): readonly Choice[] => {
  const needle = plain(typed);
  const rank = ({ value, label, detail = '', names = '' }: Choice): number | undefined =>
    needle === ''
      ? Number(value !== chosen)
      : (rankOf(plain(label), needle) ?? rankOf(plain(`${detail} ${names}`), needle));
  return all
    .map((choice) => ({ choice, rank: rank(choice) }))
    .filter((each): each is { choice: Choice; rank: number } => each.rank !== undefined)
    .sort((one, other) => one.rank - other.rank)
    .map(({ choice }) => choice);
};
