/** What a contact can be called by. */
export interface Names {
  display_name: string | null;
  first_name: string | null;
  last_name: string | null;
}

/** How a page calls a contact: by its display name, else by its own names; null where it has none. */
export const nameOf = ({ display_name, first_name, last_name }: Names): string | null =>
  display_name || [first_name, last_name].filter(Boolean).join(' ') || null;
