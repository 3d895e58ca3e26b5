import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addField } from './new-field.ts';

const ROWS = Number(process.env.NEW_FIELD_ROWS ?? 1_000_000);

describe('A new field of a stored record in a large table', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`On ${engine}, the start does not rewrite the rows`, async (test) => {
      const [few, many] = [await addField(test, engine, 2_000), await addField(test, engine, ROWS)];
      test.diagnostic(`start with 2,000 rows ${few.toFixed()} ms, with ${ROWS} rows ${many.toFixed()} ms`);
      // SQLite checks all rows of a strict table when a column is added, so its start takes longer with more rows. On
      // PostgreSQL, two starts on a busy machine differ by less than ten times, and the tables by far more.
      if (engine === 'postgres') assert.ok(many < 10 * few, `${few} ms, ${many} ms`);
    });
  }
});
