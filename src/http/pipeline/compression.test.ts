import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Compression, ENCODINGS } from './compression.ts';

const decompress = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

describe('Compression', () => {
  it('Compressed bodies contain the original text', async () => {
    const compression = new Compression();
    const text = 'Zoë, 北京 👋 '.repeat(2_000);
    for (const encoding of ENCODINGS) {
      const body = await compression.compress(text, encoding);
      assert.ok(body && body.length < 1_000);
      assert.equal(decompress[encoding](body).toString(), text);
    }
  });

  it('Bodies above the limit of waiting compressions are not compressed, and the others all are', async () => {
    const compression = new Compression();
    const bodies = Array.from({ length: 100 }, (_, at) => `${at}`.repeat(5_000));
    const results = await Promise.all(bodies.map((body) => compression.compress(body, 'gzip')));
    assert.equal(results.filter(Boolean).length, 66);
    for (const [at, packed] of results.entries()) {
      if (packed) assert.equal(gunzipSync(packed).toString(), bodies[at]);
    }
    assert.ok(await compression.compress('again'.repeat(9), 'gzip'));
  });

  it('A compressed stream reads its source at the pace of its reader', async () => {
    for (const encoding of ENCODINGS) {
      let produced = 0;
      const chunks = async function* () {
        for (; produced < 200; produced++) yield randomBytes(32_768).toString('latin1');
      };
      const stream = new Compression().compressStream(chunks(), encoding);
      await pause(50);
      assert.ok(produced <= 20, `${encoding}: ${produced} chunks without a reader`);
      const parts: Buffer[] = [];
      for await (const part of stream ?? []) parts.push(part);
      assert.equal(produced, 200);
      assert.ok(decompress[encoding](Buffer.concat(parts)).length > 200 * 32_768);
    }
  });

  it('A reader that leaves ends the source and frees its place', async () => {
    const compression = new Compression();
    let ended = 0;
    const source = async function* () {
      try {
        for (;;) yield randomBytes(32_768).toString('latin1');
      } finally {
        ended++;
      }
    };
    for (let round = 1; round <= 2; round++) {
      const streams = Array.from({ length: 8 }, () => compression.compressStream(source(), 'gzip'));
      assert.equal(compression.compressStream(source(), 'gzip'), undefined);
      for (const stream of streams) for await (const _ of stream ?? []) break;
      for (let tries = 0; ended < 8 * round && tries < 100; tries++) await pause(5);
      assert.equal(ended, 8 * round);
    }
  });

  it('An error of the source reaches the reader', async () => {
    const source = async function* () {
      yield 'a row';
      throw new Error('database lost');
    };
    const stream = new Compression().compressStream(source(), 'zstd');
    await assert.rejects(async () => {
      for await (const _ of stream ?? []);
    }, /database lost/);
  });
});
