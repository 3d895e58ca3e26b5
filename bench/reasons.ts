/** Why figures miss their targets, as far as it was investigated. By the names of `--only`. */
export const reasons: Readonly<Record<string, string>> = {
  get: 'Besides the work of node:http, a get needs a key, a route, a log line and two look-ups in a file; for contacts from the whole list SQLite itself takes longer than for a repeated one.',
  search:
    'A trigram index reads the entries of every contact with one of the trigrams, and each contact found by two look-ups. That takes 0.6 ms of a reader for a full name (decision 0028). The result crosses to a thread and back.',
  agent:
    'It comes from the read cache while nothing is written; what remains is a key, a route, a log line and 5 KB to send.',
  create:
    'The single writer inserts the contact, its event, audit entry, tags and counters, and the search index writes a segment with every commit (decision 0078).',
  'pg.search':
    'One read of the trigram index gives page and total, where plain needs two; the statement is planned again for each search, since the best plan depends on the text.',
  'pg.create':
    'Counters, block counters and an audit entry are written with the contact, once for all creates of a batch; plain writes the contact and its tags, and counts when it lists. It takes two thirds of the processor time of plain, but uses two connections, not ten.',
  'pg.get.pgbench':
    'pgbench only speaks the database protocol, in C. Here that is less than a third of the processor time of a get, and HTTP the rest: a client for PostgreSQL without any cost would make it about 1.4 times as fast (decision 0080).',
  'pg.create.pgbench': 'An HTTP request comes with each statement.',
  'pg.list.pgbench':
    'An HTTP request comes with each statement, and a page of 8 KB is read, aggregated and sent.',
  'growth.get': 'A round is short, so pauses of one percent of its time decide its p99.',
  'growth.list': 'A round is short, so pauses of one percent of its time decide its p99.',
  'growth.tag': 'A round is short, so pauses of one percent of its time decide its p99.',
  'growth.create':
    'Under a constant load, commits continue large merges of the search index, which can only stop between two terms (decision 0081).',
  'growth.short':
    'A contact is created every 10 ms, so its p99 is that of a search that is not cached, waits for a thread and scans the contacts that are not counted yet.',
  'steps.get':
    'No step dominates: the largest, the route, takes 8 µs with its handler. A read transaction for all reads of a turn, a faster log line and writes at the end of a turn were tried and gained nothing.',
  'steps.writer':
    'It includes the messages from and to the serving thread, the checkpoint and the flush. What remains is the commit, the search index, fourteen B-trees and JavaScript, about a fifth each (decision 0078).',
  'threads.memory':
    'A thread takes 31 MB before its first request: its own heap with the code of the service. The rest are the young heap and 4 MB of cache.',
  start:
    'Most of it is compiling and running the code of the service on two threads; the size of the file makes no difference.',
  'storm.p99': 'Two reader threads, the service and the load generator share the cores.',
  'memory.load': 'Four threads with a heap each, and the caches of four connections: 48 MB in all.',
  'machines.upsert':
    'Creates of a commit run together since decision 0078, and upserts do not, so the creates that they are compared with are faster.',
  'machines.pg.batch': 'Its rounds differ by more than what is missing.',
  'filters.pg.tag':
    'PostgreSQL looks up the tag of one contact in ten for each of the 1,000 contacts with the value. Their positions are spread evenly, so that takes 840 pages of the index.',
  'filters.pg.any': 'As for the tag, which one of its alternatives has.',
  'threads.cpu': 'Its rounds differ by more than what is missing.',
  'sdk.get': 'Its rounds differ by more than what is missing.',
};
