import type { DatabaseSync } from 'node:sqlite';
import { isBroken, isBusy } from '../errors.ts';

/* FTS5 adds a segment to its index with every commit, and merges eight segments of a level into one of the next. It can pause a
 * merge between two terms, but not inside one: among a million contacts, the term of a common email domain takes 60 ms. So a
 * commit only continues merges of small segments, whose terms are short. Large ones are merged when the writer is idle. */

/** `usermerge` of the index: a level with this many segments is merged. */
const MIN_SEGMENTS = 8;
/** A merge with this many pages of input is large. A smaller one has up to 130,000 contacts, whose longest term takes 8 ms. */
const LARGE_PAGES = 6_000;
/** With more segments, a commit continues large merges too, because a search reads from every segment: about 5 µs each. */
const MAX_SEGMENTS = 64;
/** Longer than the pauses in a burst: a request that arrives during a step waits for it. */
const IDLE_MS = 3_000;
const MIN_PAUSE_MS = 5;
const PAGES_PER_IDLE_STEP = 64;
/** An additional merge in the same commit costs as much as this many pages, so only a commit with many changes has one. */
const PAGES_PER_CALL = 16;

interface Level {
  /** How many of its segments are being merged. */
  readonly merging: number;
  /** The pages of each segment. */
  readonly segments: readonly number[];
}

interface NextMerge {
  readonly level: number;
  readonly isStarted: boolean;
  readonly pages: number;
}

/** Reads the variable-length integers of SQLite. */
const integersOf = (record: Uint8Array, start: number): (() => number) => {
  let at = start;
  return () => {
    let value = 0;
    for (;;) {
      const byte = record[at++] ?? 0;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
};

const COOKIE_BYTES = 4;

/** The levels of an FTS5 index, from the record that describes its structure. */
const levelsOf = (record: Uint8Array): Level[] => {
  const next = integersOf(record, COOKIE_BYTES);
  const [levels, _segments, _writes] = [next(), next(), next()];
  return Array.from({ length: levels }, () => {
    const [merging, count] = [next(), next()];
    const segments = Array.from({ length: count }, () => {
      const [_id, first, last] = [next(), next(), next()];
      return last - first + 1;
    });
    return { merging, segments };
  });
};

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The merge that FTS5 would continue or start: that of the level with the most segments below the lowest merge under way, if it has
 *  at least as many as that merge, otherwise that merge. */
const nextMergeOf = (levels: readonly Level[]): NextMerge | undefined => {
  let chosen: NextMerge | undefined;
  let most = 0;
  for (const [level, { merging, segments }] of levels.entries()) {
    if (merging > most) return { level, isStarted: true, pages: sum(segments.slice(0, merging)) };
    if (merging > 0) break;
    if (segments.length > most) {
      chosen = { level, isStarted: false, pages: sum(segments) };
      most = segments.length;
    }
  }
  return most < MIN_SEGMENTS ? undefined : chosen;
};

/** The number of index pages to merge after a number of changes. Each commit adds a segment with a page for about ten
 *  entries, and every entry is merged four or five times in all. */
const pagesAfter = (changes: number) => Math.ceil(4 + changes / 2);

/** So few pages that FTS5 seldom continues with a large merge when this one is complete. */
const pagesOfRest = ({ pages }: NextMerge) => (pages > MIN_SEGMENTS ? Math.floor(pages / 2) : 1);

/** The merges of a search index. */
export const indexMerges = (
  file: DatabaseSync,
  { largePages = LARGE_PAGES, maxSegments = MAX_SEGMENTS } = {},
) => {
  const structure = file.prepare('select block from contacts_search_data where id = 10');
  const mergeStatement = file.prepare(
    `insert into contacts_search (contacts_search, rank) values ('merge', ?)`,
  );
  const merge = (pages: number) => mergeStatement.run(pages);
  const changes = file.prepare('select total_changes() as count');
  const readLevels = () => levelsOf((structure.get() as { block: Uint8Array }).block);
  /** The rows that this connection has changed. */
  const countChanges = () => Number(changes.get()?.count);
  return {
    countChanges,
    /** Merges a little, in the transaction of some changes. */
    afterChanges: (count: number) => {
      for (let budget = pagesAfter(count); budget > 0; budget -= PAGES_PER_CALL) {
        const levels = readLevels();
        const next = nextMergeOf(levels);
        if (!next) return;
        // The segments of the lowest level are those of commits, and FTS5 would merge 64 of them in one go.
        if (next.level === 0 || next.pages < largePages) {
          const pages = Math.min(budget, pagesOfRest(next));
          merge(pages);
          budget -= pages;
          continue;
        }
        if (sum(levels.map(({ segments }) => segments.length)) > maxSegments) merge(budget);
        // While it is under way, FTS5 prefers a lower level with at least as many segments.
        else if (!next.isStarted) merge(1);
        return;
      }
    },
    /** Merges some pages in a transaction of its own. Returns whether there may be more. */
    step: (): boolean => {
      if (file.isTransaction) return true;
      try {
        if (!nextMergeOf(readLevels())) return false;
        file.exec('begin immediate');
        const before = countChanges();
        merge(PAGES_PER_IDLE_STEP);
        file.exec('commit');
        // A merge that finds nothing to do changes one row.
        return countChanges() - before > 1;
      } catch (error) {
        if (file.isTransaction) file.exec('rollback');
        if (isBroken(error)) throw error;
        // Another process writes. After any other error, such as a full disk, the next write tries again.
        return isBusy(error);
      }
    },
  };
};

/** Merges while the writer is idle. Between two steps it waits as long as the last one took, so that requests can run. An I/O error
 *  ends the thread, as one of a checkpoint does. */
export const startIdleMerges = (
  file: DatabaseSync,
  { idleMs = IDLE_MS, onStep }: { idleMs?: number; onStep: () => void },
) => {
  const { step, countChanges } = indexMerges(file);
  let seen = countChanges();
  let timer: NodeJS.Timeout | undefined;
  const schedule = (delay: number) => {
    clearTimeout(timer);
    timer = setTimeout(work, delay).unref();
  };
  const work = () => {
    const began = performance.now();
    const isMore = step();
    const count = countChanges();
    if (count !== seen) onStep();
    seen = count;
    if (isMore) schedule(Math.max(MIN_PAUSE_MS, performance.now() - began));
  };
  // A command or an earlier process may have left merges.
  schedule(idleMs);
  return {
    /** Call it after every request. One that has changed nothing, such as that of a health check, does not count. */
    answered: () => {
      const count = countChanges();
      if (count !== seen) schedule(idleMs);
      seen = count;
    },
    close: () => clearTimeout(timer),
  };
};
