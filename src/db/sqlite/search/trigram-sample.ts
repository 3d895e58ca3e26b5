import { readCounters } from '../../counters.ts';
import type { Db } from '../../db.ts';
import type { SearchTable } from '../../search.ts';
import { counterOf, textsAfter } from './ngram-counts.ts';

/* A sample of the records of a workspace shows how often trigrams occur, and how often together. Letters of one word depend
 * on each other, so counts of single n-grams do not show that. Only the costs of a search depend on the sample, never its
 * result. */

/** Blocks of consecutive records, because these share pages. */
const BLOCKS = 128;
const RECORDS_PER_BLOCK = 16;
/** Below that, a query for the whole text is fast. */
const MIN_RECORDS = 10_000;
const MAX_AGE_MS = 60_000;
/** A sample takes 1 MB. */
const MAX_SAMPLES = 16;

/** Trigrams share buckets by their hash, so a sample contains no texts. */
const BUCKET_BITS = 12;
const WORDS = (BLOCKS * RECORDS_PER_BLOCK) / 32;

/** The costs of a search in entries of the index: reading a record, and opening a posting list. */
const RECORD_COST = 150;
const LIST_COST = 100;
const MAX_TRIGRAMS = 4;

/** The bucket of the three UTF-16 code units at a position. */
const bucketAt = (text: string, at: number) =>
  (Math.imul(text.charCodeAt(at), 0x9e3779b1) ^
    Math.imul(text.charCodeAt(at + 1), 0x85ebca6b) ^
    Math.imul(text.charCodeAt(at + 2), 0xc2b2ae35)) >>>
  (32 - BUCKET_BITS);

export class TrigramSample {
  /** For each bucket, a bit for each sampled record. */
  readonly #bits = new Uint32Array(WORDS << BUCKET_BITS);
  /** For each bucket, its number of records. */
  readonly #counts = new Uint16Array(1 << BUCKET_BITS);
  /** The number of records that a sampled one stands for. */
  readonly #scale: number;

  constructor(texts: readonly string[], records: number) {
    this.#scale = records / Math.max(1, texts.length);
    for (const [record, text] of texts.entries()) {
      for (let at = 0; at + 3 <= text.length; at++) this.#add(bucketAt(text, at), record);
    }
  }

  #add(bucket: number, record: number) {
    if (this.#has(bucket, record)) return;
    const word = bucket * WORDS + (record >> 5);
    this.#bits[word] = (this.#bits[word] as number) | (1 << (record & 31));
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
  }

  #has(bucket: number, record: number): boolean {
    return ((this.#bits[bucket * WORDS + (record >> 5)] as number) & (1 << (record & 31))) !== 0;
  }

  /** The number of entries in the posting list of a trigram. One that no sampled record contains may still have some. */
  #entries(bucket: number): number {
    return Math.max(this.#counts[bucket] as number, 0.5) * this.#scale;
  }

  #recordsOf(bucket: number): number[] {
    const records: number[] = [];
    for (let record = 0; record < WORDS * 32; record++) if (this.#has(bucket, record)) records.push(record);
    return records;
  }

  /** Chooses trigrams of a text so that reading their posting lists, and the records that are in all of these lists, costs least;
   *  undefined if a query for the whole text costs less. It reads the posting lists of all trigrams. */
  choose(text: string): string[] | undefined {
    const characters = [...text];
    const trigrams = new Map<number, string>();
    for (let at = 0; at + 3 <= characters.length; at++) {
      const trigram = characters.slice(at, at + 3).join('');
      trigrams.set(bucketAt(trigram, 0), trigram);
    }
    const buckets = [...trigrams.keys()];
    const wholeCost = buckets.reduce((sum, bucket) => sum + this.#entries(bucket), 0);
    const chosen = [
      buckets.reduce((least, bucket) => (this.#entries(bucket) < this.#entries(least) ? bucket : least)),
    ];
    let found = this.#recordsOf(chosen[0] as number);
    let expected = this.#entries(chosen[0] as number);
    let cost = expected + expected * RECORD_COST;
    while (chosen.length < MAX_TRIGRAMS) {
      let next: { bucket: number; cost: number; expected: number } | undefined;
      for (const bucket of buckets) {
        let common = 0;
        for (const record of found) if (this.#has(bucket, record)) common++;
        const left = Math.max(common, 0.25) * this.#scale;
        const itsCost = cost + this.#entries(bucket) + LIST_COST - (expected - left) * RECORD_COST;
        if (itsCost < (next?.cost ?? cost)) next = { bucket, cost: itsCost, expected: left };
      }
      if (!next) break;
      const { bucket } = next;
      chosen.push(bucket);
      found = found.filter((record) => this.#has(bucket, record));
      ({ cost, expected } = next);
    }
    return cost < wholeCost ? chosen.map((bucket) => trigrams.get(bucket) as string) : undefined;
  }
}

/** The texts of records from random positions in the whole list, and the number of all records. */
const readSample = async (
  db: Db,
  table: SearchTable,
  workspace: number,
): Promise<TrigramSample | undefined> => {
  const totals = await readCounters(db, workspace, [table, counterOf(table)]);
  const [records = 0, upTo = 0] = [totals.get(table), totals.get(counterOf(table))];
  if (records < MIN_RECORDS || upTo === 0) return undefined;
  const texts: string[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    const seq = Math.floor(((block + Math.random()) * upTo) / BLOCKS);
    const rows = await db.all(textsAfter[table], { workspace, seq, limit: RECORDS_PER_BLOCK });
    texts.push(...rows.map(({ search_text }) => search_text));
  }
  return new TrigramSample(texts, records);
};

/** The samples of one connection. */
export class TrigramSamples {
  readonly #samples = new Map<string, { sample: TrigramSample | undefined; until: number }>();

  /** Undefined for a small workspace. */
  async get(db: Db, table: SearchTable, workspace: number): Promise<TrigramSample | undefined> {
    const key = `${table} ${workspace}`;
    const known = this.#samples.get(key);
    if (known && performance.now() < known.until) return known.sample;
    const sample = await readSample(db, table, workspace);
    this.#samples.delete(key);
    this.#samples.set(key, { sample, until: performance.now() + MAX_AGE_MS });
    const [oldest] = this.#samples.keys();
    if (this.#samples.size > MAX_SAMPLES && oldest !== undefined) this.#samples.delete(oldest);
    return sample;
  }
}
