export interface Names {
  display_name: string | null;
  first_name: string | null;
  last_name: string | null;
}

/** The name to show for a contact; null if it has none. */
export const nameOf = ({ display_name, first_name, last_name }: Names): string | null =>
  display_name || [first_name, last_name].filter(Boolean).join(' ') || null;
