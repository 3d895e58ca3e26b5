import type { Migration } from './migration.ts';

const SEARCH_ANEW = [
  // Merged half as often: a commit takes a fifth less time, and a search reads a few more segments.
  `insert into contacts_search (contacts_search, rank) values ('automerge', 8)`,
  `insert into contacts_search (contacts_search) values ('delete-all')`,
  `insert into contacts_search (rowid, text, phone)
    select workspace_id << 40 | seq, search_text || char(31, 31), search_phone || char(31, 31)
    from contacts order by workspace_id, seq`,
];

/** Block counters for deep pages of contacts (see deep-pagination.ts), and search index entries that end with two marks
 *  (see sqlite/search/ngram-counts.ts). */
export const places: Migration = {
  name: 'counts by place in the list of contacts, marked search entries',
  statements: (engine) => [
    // Sorted by code point, so that names with a common prefix are one range.
    ...(engine === 'postgres' ? ['alter table tallies alter column list type text collate "C"'] : []),
    `insert into tallies (workspace_id, list, part, count)
      select workspace_id, 'contacts#/' || (seq / 100000), 0, count(*) from contacts group by 1, 2`,
    `insert into tallies (workspace_id, list, part, count)
      select workspace_id, 'contacts#' || (seq / 100000) || '/' || (seq % 100000 / 1000), 0, count(*)
      from contacts group by 1, 2`,
    ...(engine === 'sqlite' ? SEARCH_ANEW : []),
  ],
};
