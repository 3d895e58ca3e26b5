import type { Db } from '../db.ts';
import type { Needle, SearchEngine } from '../search.ts';

const patternOf = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const patterns = <A extends Needle>(args: A): A => ({
  ...args,
  text: patternOf(args.text),
  phone: args.phone === null ? null : patternOf(args.phone),
});

/** Trigram indexes on the columns answer searches of any length; the server plans and maintains them itself. */
export const postgresSearch = (db: Pick<Db, 'get' | 'all'>): SearchEngine => ({
  page: async (search, args) => {
    const page = await db.get(search.indexed, patterns(args));
    if (!page) throw new Error('A statement of a page returned no row.');
    return page;
  },
  all: (search, args) => db.all(search.indexed, patterns(args)),
  index: () => [],
});
