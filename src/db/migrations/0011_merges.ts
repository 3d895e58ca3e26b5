import type { Migration } from './migration.ts';

const setting = (name: string, value: number) =>
  `insert into contacts_search (contacts_search, rank) values ('${name}', ${value})`;

/** Every commit merges a few pages of the search index (see sqlite/search/merges.ts), so that none has to merge many. */
export const merges: Migration = {
  name: 'a search index that is merged in small steps',
  statements: (engine) =>
    engine === 'sqlite' ? [setting('automerge', 0), setting('usermerge', 8), setting('crisismerge', 64)] : [],
};
