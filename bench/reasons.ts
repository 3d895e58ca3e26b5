/** Why figures are missed, where they are: what was found when they were looked into. By the names of `--only`. */
export const reasons: Readonly<Record<string, string>> = {
  get: 'Beside what node:http does, a get costs a key, a route, a line in the log and two look-ups in a file; for contacts from all over the list SQLite itself takes longer than for the same one again.',
  search:
    'A trigram index goes through every contact that has one of the pieces: 0.6 ms for a full name, a third of it for the rows in which it might be, and the answer crosses to a thread and back.',
  agent:
    'It comes from memory while nothing is written; what is left is a key, a route, a line in the log and 5 KB that are sent.',
  create:
    'The one writer needs about 120 µs for each while the serving thread is busy beside it, and waits for a fifth of the time: insert, audit, tags, counts, and the search index, which writes a piece of itself with every commit.',
  'pg.search':
    'One look at the trigram index gives page and total, where plain takes two; the statement is planned anew for each search, since the best plan depends on the text.',
  'pg.create':
    'Counts, blocks and an audit entry are written beside the contact, once for all creates that share a transaction; plain writes the contact and its tags, and counts when it lists. It takes two thirds of the processor time of plain, but waits for two connections, not ten.',
  'pg.get.pgbench': 'pgbench speaks the protocol alone, in C; here a request of HTTP comes with each.',
  'pg.create.pgbench': 'A request of HTTP comes with each.',
  'pg.list.pgbench': 'A request of HTTP comes with each, and a page of 8 KB is read, joined and sent.',
  'growth.get': 'A round is short, and pauses of a hundredth of it in all decide its p99.',
  'growth.list': 'A round is short, and pauses of a hundredth of it in all decide its p99.',
  'growth.tag': 'A round is short, and pauses of a hundredth of it in all decide its p99.',
  'growth.create': 'Merges of a larger search index, and more pages that are written back at once.',
  'growth.short':
    'A contact is created every 10 ms beside it, so that its p99 is that of a search which finds nothing in memory, waits for a thread and looks through the contacts that are not counted yet.',
  'storm.p99': 'Two threads that search, the service and the load share the cores.',
  'memory.load': 'Four threads with a heap each, and the caches of four connections: 48 MB in all.',
};
