import type { Migration } from './migration.ts';

const setting = (name: string, value: number) =>
  `insert into contacts_search (contacts_search, rank) values ('${name}', ${value})`;

const SEARCH_ANEW = [
  `insert into contacts_search (contacts_search) values ('delete-all')`,
  `insert into contacts_search (rowid, text, phone)
    select workspace_id << 40 | seq, search_text || char(31, 31), search_phone || char(31, 31)
    from contacts order by workspace_id, seq`,
  // Every commit merges a little of the index (see sqlite/search.ts), so that none has to merge much of it.
  setting('automerge', 0),
  setting('usermerge', 8),
  setting('crisismerge', 64),
];

/** Counts by which a page deep in the list of contacts is found (see places.ts), and entries of the search index of which
 *  every character is followed by two others (see sqlite/grams.ts). */
export const places: Migration = {
  name: 'counts by place in the list of contacts, marked search entries',
  statements: (engine) => [
    // Names in the order of their characters, so that those with a common beginning stand together.
    ...(engine === 'postgres' ? ['alter table tallies alter column list type text collate "C"'] : []),
    `insert into tallies (workspace_id, list, part, count)
      select workspace_id, 'contacts#/' || (seq / 100000), 0, count(*) from contacts group by 1, 2`,
    `insert into tallies (workspace_id, list, part, count)
      select workspace_id, 'contacts#' || (seq / 100000) || '/' || (seq % 100000 / 1000), 0, count(*)
      from contacts group by 1, 2`,
    ...(engine === 'sqlite' ? SEARCH_ANEW : []),
  ],
};
